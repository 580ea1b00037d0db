import { Refused } from "./ask-server";
import { OpenedFolders } from "./opened-folders";
import { withPatience } from "./patience";
import type { Picked } from "./picked-files";
import { type OnExisting, sendFile } from "./send-file";
import { fail, isOpen, newJob, putBack, shown, type Upload, type UploadJob } from "./upload-job";

/** How all uploads stand. */
export interface Uploads {
  list: Upload[];
  /** What stands in the way of one, and how many more may meet the same. */
  question: { conflict: string; waiting: number } | null;
  /** Why nothing goes on until the person has done something. */
  paused: string;
}

export type Answer = Exclude<OnExisting, "refuse"> | "skip";

interface Question {
  job: UploadJob;
  conflict: string;
  answer: (answer: Answer) => void;
}

const AT_ONCE = 3;
/** What happens within so long is shown at once. */
const PICTURE_MS = 50;

/** Sends files, a few at a time, in the order in which they were chosen. `onStored` is called after each that has arrived, and told whether it was the last. */
export class UploadQueue {
  private jobs: UploadJob[] = [];
  private snapshot: Uploads = { list: [], question: null, paused: "" };
  private readonly listeners = new Set<() => void>();
  private readonly folders = new OpenedFolders();
  private readonly questions: Question[] = [];
  private answerForAll: Answer | null = null;
  private paused = "";
  private nextId = 1;
  private isChanged = false;

  constructor(private readonly onStored: (isLast: boolean) => void) {}

  /** Adds what was chosen, to be put into the folder `target`. */
  add({ files, emptyFolders, unreadable }: Picked, target: string): void {
    if (!this.isBusy()) {
      this.answerForAll = null;
      this.folders.forget();
    }
    for (const picked of files) this.jobs.push(newJob(this.nextId++, picked, target));
    for (const name of unreadable) {
      const job = newJob(this.nextId++, { file: new File([], name), folders: [] }, target);
      fail(job, "Your browser could not read it.");
      this.jobs.push(job);
    }
    for (const folders of emptyFolders)
      this.folders.idOf(target, folders).then(
        () => this.onStored(!this.isBusy()),
        () => {},
      );
    this.work();
  }

  cancel(id: number): void {
    for (const job of this.jobs) if (job.id === id) this.cancelJob(job);
    this.work();
  }

  cancelAll(): void {
    for (const job of this.jobs) this.cancelJob(job);
    this.work();
  }

  /** Sends what has failed again. */
  retryFailed(): void {
    for (const job of this.jobs) if (job.state === "failed") putBack(job, "refuse");
    this.goOn();
  }

  /** Goes on after a pause. */
  goOn(): void {
    this.paused = "";
    this.work();
  }

  /** Answers the question that is being asked; with `forAll`, those that would follow too. */
  answer(answer: Answer, forAll: boolean): void {
    if (forAll) this.answerForAll = answer;
    for (const question of this.questions.splice(0, forAll ? this.questions.length : 1)) question.answer(answer);
    this.changed();
  }

  /** Forgets what is over. */
  clear(): void {
    this.jobs = this.jobs.filter(isOpen);
    this.changed();
  }

  isBusy(): boolean {
    return this.jobs.some(isOpen);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  read = (): Uploads => this.snapshot;

  private cancelJob(job: UploadJob): void {
    if (!isOpen(job)) return;
    job.state = "cancelled";
    job.abort.abort();
    const asked = this.questions.findIndex((question) => question.job === job);
    if (asked >= 0) this.questions.splice(asked, 1)[0]?.answer("skip");
  }

  /** Starts as many as may run. */
  private work(): void {
    let running = this.jobs.filter(({ state }) => state === "sending").length;
    for (const job of this.jobs) {
      if (this.paused || running >= AT_ONCE) break;
      if (job.state !== "waiting") continue;
      running++;
      job.state = "sending";
      void this.send(job).finally(() => this.work());
    }
    this.changed();
  }

  private async send(job: UploadJob): Promise<void> {
    const { file, existing, abort } = job;
    const onProgress = (sent: number) => {
      job.sent = Math.min(sent, job.size);
      this.changed();
    };
    const onPause = (isPaused: boolean) => {
      job.isPaused = isPaused;
      this.changed();
    };
    try {
      await withPatience(
        async () => {
          const folder = await this.folders.idOf(job.target, job.folders);
          await sendFile(file, { folder, name: file.name, existing, signal: abort.signal, onProgress });
        },
        abort.signal,
        onPause,
      );
      if (job.state === "sending") Object.assign(job, { state: "done", sent: job.size } satisfies Partial<UploadJob>);
      this.onStored(!this.isBusy());
    } catch (error) {
      if (job.state === "cancelled") return;
      if (!(error instanceof Refused)) fail(job, "Your browser could not read it any more. Perhaps it was changed or moved.");
      else if (error.status === 401) {
        this.paused = error.message;
        putBack(job, existing);
      } else if (error.code === "name_taken" && existing === "refuse") await this.settle(job, error.message);
      else fail(job, error.message);
    }
  }

  /** Asks what to do about a name that exists, and has the job sent again or skipped. Others go on meanwhile. */
  private async settle(job: UploadJob, conflict: string): Promise<void> {
    Object.assign(job, { state: "asking", sent: 0 } satisfies Partial<UploadJob>);
    const asked = new Promise<Answer>((answer) => {
      if (this.answerForAll) answer(this.answerForAll);
      else this.questions.push({ job, conflict, answer });
    });
    this.work();
    const answer = await asked;
    if (job.state !== "asking") return;
    if (answer === "skip") job.state = "skipped";
    else putBack(job, answer);
  }

  /** Tells the listeners, once for all that happens before the next picture. */
  private changed(): void {
    if (this.isChanged) return;
    this.isChanged = true;
    setTimeout(() => {
      this.isChanged = false;
      const [asked] = this.questions;
      const waiting = this.jobs.filter((job) => isOpen(job) && job.existing === "refuse").length - 1;
      this.snapshot = { list: this.jobs.map(shown), question: asked ? { conflict: asked.conflict, waiting } : null, paused: this.paused };
      for (const listener of this.listeners) listener();
    }, PICTURE_MS);
  }
}
