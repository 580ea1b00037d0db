import type { UnfinishedUpload } from "@/lib/files/upload";
import type { Picked } from "./picked-files";
import { OpenedFolders } from "./request-server";
import { compare, giveUp, type SendEvents, sendAlone, sendSmall } from "./send-jobs";
import {
  type Conflict,
  type ConflictAnswer,
  failUnreadable,
  isOpen,
  isSmall,
  isUploadOf,
  newJob,
  nextOf,
  putBack,
  type UploadJob,
} from "./upload-job";

/** How long a notification may be delayed to be combined with others (throttle). */
const WAIT_MS = 1_500;

/** Passes on notifications: immediately for the last one, and combined over a while before that. */
export function someAtATime(notify: () => void): (isLast: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const notifyNow = () => {
    clearTimeout(timer);
    timer = undefined;
    notify();
  };
  return (isLast) => {
    if (isLast) notifyNow();
    else timer ??= setTimeout(notifyNow, WAIT_MS);
  };
}

/** The state of all uploads. */
interface Uploads {
  list: UploadJob[];
  /** The conflict of one, how many there are with it, and how many more may raise the same question. */
  question: { conflict: Conflict; raised: number; waiting: number } | null;
  /** Why the queue is paused until the user has done something. */
  paused: string;
}

/** An upload that ended with its window. */
export interface Unsent {
  /** The name of the folder that was uploaded; "" for single files. */
  folder: string;
  /** The id of the folder that it went into. */
  target: string;
  stored: number;
  all: number;
}

/** Requests at a time. */
const AT_ONCE = 3;
/** Changes within this time are shown together (debounce). */
const PICTURE_MS = 50;

/** Sends files, a few requests at a time, in the order of selection; small ones of a folder share a request. */
export class UploadQueue {
  private jobs: UploadJob[] = [];
  private snapshot: Uploads = { list: [], question: null, paused: "" };
  private readonly listeners = new Set<() => void>();
  private readonly folders = new OpenedFolders();
  /** Those whose names exist, in the order of their questions: the first one's is open. */
  private asked: UploadJob[] = [];
  private answerForAll: ConflictAnswer | null = null;
  private paused = "";
  private running = 0;
  private nextId = 1;
  private isChanged = false;
  private showStored: (() => void) | null = null;
  private isUnshown = false;
  private readonly events: SendEvents = {
    onChange: () => this.changed(),
    onStored: () => this.stored(!this.isBusy()),
    onConflict: (job, conflict) => this.ask(job, conflict),
    onSignedOut: (sentence) => {
      this.paused = sentence;
    },
  };
  private readonly stored = someAtATime(() => {
    if (this.showStored) this.showStored();
    else this.isUnshown = true;
  });

  /** Adds the selected files, to be uploaded into the folder `target`. */
  add({ files, unreadable }: Picked, target: string): void {
    this.begin();
    // What is over is no part of what begins: its count would be wrong.
    if (!this.isBusy()) this.jobs = this.jobs.filter(({ state }) => state === "failed");
    for (const picked of files) this.jobs.push(newJob(this.nextId++, picked, target));
    for (const name of unreadable) {
      const job = newJob(this.nextId++, { file: new File([], name), folders: [] }, target);
      failUnreadable(job);
      this.jobs.push(job);
    }
    this.work();
  }

  /** Whether one of the unfinished uploads is of this file. */
  isSending(upload: UnfinishedUpload): boolean {
    return this.jobs.some((job) => isOpen(job) && isUploadOf(upload, job.file));
  }

  /** What ends with this window. Of a large file the service has the beginning, and lists it itself. */
  unsent(): Unsent | null {
    const left = this.jobs.filter((job) => (isOpen(job) || job.state === "failed") && !job.begun);
    const [first] = left;
    if (!first) return null;
    const stored = this.jobs.filter(({ state }) => state === "done" || state === "unchanged").length;
    const [folder = "", ...others] = new Set(left.map(({ folders }) => folders[0]));
    return { folder: others.length > 0 ? "" : folder, target: first.target, stored, all: stored + left.length };
  }

  /** Uploads this file instead of one that cannot be read, into the same folder. */
  replace(id: number, file: File): void {
    this.begin();
    this.jobs = this.jobs.map((job) => (job.id === id ? newJob(id, { file, folders: job.folders }, job.target) : job));
    this.work();
  }

  /** Cancels an upload. One that has failed leaves the list. */
  cancel(id: number): void {
    this.jobs = this.jobs.filter((job) => job.id !== id || job.state !== "failed");
    for (const job of this.jobs) if (job.id === id) this.cancelJob(job);
    this.work();
  }

  cancelAll(): void {
    for (const job of this.jobs) this.cancelJob(job);
    this.work();
  }

  /** Retries the failed uploads whose files can still be read. */
  retryFailed(): void {
    for (const job of this.jobs) {
      if (job.state !== "failed" || job.isUnreadable) continue;
      job.isAlone = job.isFolder;
      putBack(job, "refuse");
    }
    this.goOn();
  }

  /** Continues after a pause. */
  goOn(): void {
    this.paused = "";
    this.work();
  }

  /** Answers the current question; with `forAll`, also those that would follow. */
  answer(answer: ConflictAnswer, forAll: boolean): void {
    if (forAll) this.answerForAll = answer;
    for (const job of this.asked.splice(0, forAll ? this.asked.length : 1)) this.settle(job, answer);
    this.work();
  }

  /** Removes finished uploads, in sight at once: a count that stays would stand for the next ones. */
  clear(): void {
    this.jobs = this.jobs.filter(isOpen);
    this.show();
  }

  isBusy(): boolean {
    return this.jobs.some(isOpen);
  }

  /**
   * Calls `show` when all are stored, and in between for several at a time; and now, if something was stored while
   * nothing showed it. Returns what ends this.
   */
  whenStored(show: () => void): () => void {
    this.showStored = show;
    if (this.isUnshown) show();
    this.isUnshown = false;
    return () => {
      this.showStored = null;
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  read = (): Uploads => this.snapshot;

  /** What was answered and opened for earlier uploads does not count for new ones. */
  private begin(): void {
    if (this.isBusy()) return;
    this.answerForAll = null;
    this.folders.forget();
  }

  private cancelJob(job: UploadJob): void {
    if (!isOpen(job)) return;
    job.state = "cancelled";
    job.abort.abort();
    if (job.begun) void giveUp(job.begun);
    this.asked = this.asked.filter((each) => each !== job);
  }

  /** Starts as many requests as may run. */
  private work(): void {
    while (!this.paused && this.running < AT_ONCE) {
      const { jobs, task } = nextOf(this.jobs);
      const [job] = jobs;
      if (!job) break;
      this.running++;
      for (const each of jobs) each.state = "sending";
      const { folders, events } = this;
      const send = () => (isSmall(job) ? sendSmall(jobs, folders, events) : sendAlone(job, folders, events));
      void (task === "compare" ? compare(jobs, folders, events) : send()).finally(() => {
        this.running--;
        this.work();
      });
    }
    this.changed();
  }

  /** Asks what to do about a name that exists, unless that was answered for all. Others continue meanwhile. */
  private ask(job: UploadJob, conflict: Conflict): void {
    Object.assign(job, { state: "conflict", uploaded: 0, conflict } satisfies Partial<UploadJob>);
    if (this.answerForAll) this.settle(job, this.answerForAll);
    else this.asked.push(job);
  }

  /** Queues the job again, or skips it. */
  private settle(job: UploadJob, answer: ConflictAnswer): void {
    if (answer === "skip") job.state = "skipped";
    else putBack(job, answer);
  }

  /** Notifies the listeners, once for all changes before the next frame. */
  private changed(): void {
    if (this.isChanged) return;
    this.isChanged = true;
    setTimeout(() => {
      this.isChanged = false;
      this.show();
    }, PICTURE_MS);
  }

  private show(): void {
    const conflict = this.asked[0]?.conflict;
    const waiting = this.jobs.filter(
      ({ state, existing }) => (state === "waiting" || state === "sending") && existing === "refuse",
    ).length;
    this.snapshot = {
      list: this.jobs.map((job) => ({ ...job })),
      question: conflict ? { conflict, raised: this.asked.length, waiting } : null,
      paused: this.paused,
    };
    for (const listener of this.listeners) listener();
  }
}
