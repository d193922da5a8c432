// What modules may run beside requests: hot queues, and jobs on a schedule. A module's `jobs.ts` exports makers of these;
// the catalog lists them, and the process starts them when it has the role `worker`.
import type { Services } from '../endpoint/endpoint.ts'
import type { Queue, QueueOptions } from './queue.ts'
import type { ScheduledJob } from './schedule.ts'

/** The queues of this process, for one that starts others while it runs. `services.wake` reaches them all by name. */
export type Queues = {
  /** Starts a queue. Anyone who started it stops it; what still runs when the process ends is stopped then. */
  start<Row>(options: QueueOptions<Row>): Queue
}

// biome-ignore lint/suspicious/noExplicitAny: queues of every row type stand in one list
export type QueueMaker = (services: Services) => QueueOptions<any>
/** Makes a queue that starts and stops others. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type QueueKeeper = (services: Services, queues: Queues) => QueueOptions<any>
export type JobMaker = (services: Services) => ScheduledJob
