// How the contract test meets the figures: their samples are real as they stand, once their range lies within reach.
import type { ModuleContract } from '../contract_types.ts'

const lastDay = async () => ({ query: { interval: 'hour' } })

export const contract: ModuleContract = {
  'analytics.usage': { prepare: lastDay },
  'analytics.messaging': { prepare: lastDay },
  'analytics.voice': { prepare: lastDay },
  'home.get': {},
}
