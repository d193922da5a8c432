// What modules may run beside requests: hot queues, and jobs on a schedule. A module's `jobs.ts` exports makers of these;
// the catalog lists them, and the process starts them when it has the role `worker`.
import type { Services } from './endpoint.ts'
import type { QueueOptions } from './queue.ts'
import type { ScheduledJob } from './schedule.ts'

// biome-ignore lint/suspicious/noExplicitAny: queues of every row type stand in one list
export type QueueMaker = (services: Services) => QueueOptions<any>
export type JobMaker = (services: Services) => ScheduledJob
