// The methods of a noun, by its name: every noun of the CRM has the same ones in the SDK, below its own name; this is the one place
// that finds them by a name that is not known before it runs.
import type { CallOptions, LeadsTimelineReply, Tandem } from '@tandem/sdk'

/** Titles by noun and id, as `included` has them. */
export type Included = Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
type Params = Readonly<Record<string, unknown>>
type Reply = Readonly<Record<string, unknown>> & { included?: Included }
type Method<Answer = Reply> = (params: Params, options?: CallOptions) => Promise<Answer>

export type NounMethods = Record<
  'list' | 'get' | 'create' | 'update' | 'delete' | 'restore' | 'bulk' | 'merge' | 'duplicates' | 'history',
  Method
> & { export: Method<Blob>; timeline: Method<LeadsTimelineReply> }

/** @param many as the noun is named in permissions: `companies`; its declaration says which of the methods it has */
export function methodsOf(api: Tandem, many: string): NounMethods {
  // The SDK writes `service_contracts` as JavaScript does.
  const name = many.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return (api as unknown as Record<string, NounMethods>)[name] as NounMethods
}
