import type { EntrySummary, OnExisting } from "@/lib/files/schema";
import type { UploadJob } from "./upload-job";

/** A name that exists, and the two entries that would have it, as far as they are known. */
export interface Conflict {
  sentence: string;
  existing?: Compared;
  incoming?: Compared;
}

/** What helps to tell two entries of one name apart. */
export type Compared = Pick<EntrySummary, "isFolder" | "size" | "edited">;

export type ConflictAnswer = Exclude<OnExisting, "refuse"> | "skip";

interface Question {
  job: UploadJob;
  conflict: Conflict;
  answer: (answer: ConflictAnswer) => void;
}

/** The questions about names that exist: asked one after the other, until one answer is for all. */
export class ConflictQuestions {
  private readonly questions: Question[] = [];
  private answerForAll: ConflictAnswer | null = null;

  /** The conflict of the current question, and how many questions there are with it. */
  get current(): { conflict: Conflict; asked: number } | null {
    const [asked] = this.questions;
    return asked ? { conflict: asked.conflict, asked: this.questions.length } : null;
  }

  ask(job: UploadJob, conflict: Conflict): Promise<ConflictAnswer> {
    return new Promise((answer) => {
      if (this.answerForAll) answer(this.answerForAll);
      else this.questions.push({ job, conflict, answer });
    });
  }

  /** Answers the current question; with `forAll`, also those that would follow. */
  answer(answer: ConflictAnswer, forAll: boolean): void {
    if (forAll) this.answerForAll = answer;
    for (const question of this.questions.splice(0, forAll ? this.questions.length : 1)) question.answer(answer);
  }

  /** Drops the question about a cancelled upload, if there is one. */
  drop(job: UploadJob): void {
    const asked = this.questions.findIndex((question) => question.job === job);
    if (asked >= 0) this.questions.splice(asked, 1)[0]?.answer("skip");
  }

  /** Asks about everything again: an answer for all was for the uploads of its time. */
  forgetAnswer(): void {
    this.answerForAll = null;
  }
}
