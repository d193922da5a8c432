// The list of everything: endpoints, queues, schedules, carriers. The only file that imports all modules.
import type { JobMaker, QueueMaker } from './kernel/background.ts'
import type { Endpoint } from './kernel/endpoint.ts'
import { purgeExpired } from './kernel/purge.ts'
import { explorerEndpoints } from './modules/explorer/endpoints.ts'
import * as login from './modules/identity/login/endpoints.ts'

/** Every endpoint of the product, in the order the Explorer shows them. */
export const catalog: readonly Endpoint[] = [...login.endpoints, ...explorerEndpoints(() => catalog)]

/** Makers of every hot queue. */
export const queueMakers: readonly QueueMaker[] = []

/** Makers of every scheduled job. */
export const jobMakers: readonly JobMaker[] = [purgeExpired]
