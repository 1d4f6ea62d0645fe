/** The reason to give up a call whose task is to go on: the server is not asked to cancel it. */
export class TaskLeft extends Error {
  constructor() {
    super("Nobody waits for the task here any more.");
    this.name = "TaskLeft";
  }
}
