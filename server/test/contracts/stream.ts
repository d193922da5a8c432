// How the contract test meets the stream.
import type { ModuleContract } from '../contract_types.ts'

export const contract: ModuleContract = {
  'stream.open': {
    needsAnother: /"insufficient_scope","message":"The topic \w+ needs the permission/,
    problems: {
      insufficient_role: async t => ({ query: { topics: 'events' }, as: t.main.tokens['Sales Executive'] }),
      too_many_streams: async t => {
        const as = t.other.tokens.Admin
        const headers = { authorization: `Bearer ${as}` }
        for (let opened = 0; opened < 20; opened++)
          await t.app.http.inject({ method: 'GET', url: '/v2/stream', headers, payloadAsStream: true })
        return { as }
      },
    },
  },
}
