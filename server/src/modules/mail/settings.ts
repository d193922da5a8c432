// What mail takes from the settings of the process: by what mails leave where an organization set nothing up, in whose name, how many,
// and the address that links in them begin with.

export type MailSettings = {
  /** SMTP of the installation; undefined keeps mails in the outbox. */
  smtpUrl: string | undefined
  /** Who mails are from where the organization has no sender. */
  from: { address: string; name: string | null }
  /** Under which people reach this server; undefined where nobody said so. */
  publicUrl: string | undefined
  /** How many mails of an organization leave in a minute and a day. */
  perMinute: number
  perDay: number
  receiving: ReceivingSettings
  /** `address:port` of name servers instead of those of the system, for tests. */
  nameServers?: readonly string[]
}

/** How mail comes in over SMTP. */
export type ReceivingSettings = {
  /** Of the SMTP server; undefined where there is none. 0 takes any free port. */
  port: number | undefined
  /** It listens on. */
  host: string
  /** Behind the @ of the addresses that answers come to. */
  domain: string | undefined
  tls: { cert: string; key: string } | null
}

declare module '../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** How mails leave. */
    mail: MailSettings
  }
}

/** `Example <office@example.com>`, or the address alone. */
export function readMailbox(text: string): { address: string; name: string | null } {
  const [, name, address] = /^\s*(?:"?([^"<>]*?)"?\s*)<([^<>]+)>\s*$/.exec(text) ?? []
  if (address === undefined) return { address: text.trim(), name: null }
  return { address: address.trim(), name: name === undefined || name === '' ? null : name }
}
