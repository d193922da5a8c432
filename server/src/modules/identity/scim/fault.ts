// What SCIM answers where something is refused (RFC 7644 §3.12).

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

export type ScimRefusal = { status: number; scimType?: ScimType; detail: string }
type Fault = Error & { scim: ScimRefusal }

export function scimFault(status: number, detail: string, scimType?: ScimType): Fault {
  return Object.assign(new Error(detail), { scim: { status, detail, ...(scimType && { scimType }) } })
}

export function refusalOf(error: unknown): ScimRefusal | undefined {
  return error instanceof Error && 'scim' in error ? (error as Fault).scim : undefined
}

/** The status is a text there. */
export function renderFault({ status, scimType, detail }: ScimRefusal): object {
  return { schemas: [errorSchema], status: String(status), ...(scimType && { scimType }), detail }
}
