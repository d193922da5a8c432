// The rows that the DNS needs for a domain that mails are from, and what was found of them.

export const statuses = ['pending', 'verified', 'failing'] as const
export type DomainStatus = (typeof statuses)[number]

export type DnsRow = {
  type: 'TXT' | 'MX'
  name: string
  value: string
  purpose: 'dkim' | 'dmarc' | 'bounces'
  isRequired: boolean
}

export type Found = Partial<Record<DnsRow['purpose'], { isThere: boolean; found: readonly string[] }>>

export type DomainRow = {
  id: string
  domain: string
  selector: string
  private_key: string
  public_key: string
  return_path_host: string
  status: DomainStatus
  found: Found | null
  checked_at: string | null
  version: number
  created_at: string
  updated_at: string
}

/** @param host the public name of this server, where bounces come in; none leaves their row out */
export function dnsRows(
  {
    domain,
    selector,
    public_key,
    return_path_host,
  }: Pick<DomainRow, 'domain' | 'selector' | 'public_key' | 'return_path_host'>,
  host: string | undefined,
): DnsRow[] {
  const rows: DnsRow[] = [
    {
      type: 'TXT',
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${public_key}`,
      purpose: 'dkim',
      isRequired: true,
    },
    { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', purpose: 'dmarc', isRequired: false },
  ]
  if (host !== undefined)
    rows.push({ type: 'MX', name: return_path_host, value: `10 ${host}`, purpose: 'bounces', isRequired: false })
  return rows
}

/** Whether what the DNS answers is the row: of a DKIM key the key alone counts (RFC 6376 §3.6.1), of DMARC that there is a policy. */
export function isThere(row: DnsRow, answers: readonly string[]): boolean {
  const plain = (text: string) => text.replaceAll(/\s/g, '')
  if (row.purpose === 'dkim') {
    const key = /p=([^;]+)/.exec(plain(row.value))?.[1]
    return answers.some(answer => /p=([^;]*)/.exec(plain(answer))?.[1] === key)
  }
  if (row.purpose === 'dmarc') return answers.some(answer => /^v=DMARC1\b/i.test(answer.trim()))
  return answers.some(answer => plain(answer).toLowerCase() === plain(row.value).toLowerCase())
}

/** The state after a look: one that was verified and is not any more is failing, which stops nothing by itself. */
export function nextStatus(status: DomainStatus, hasKey: boolean): DomainStatus {
  if (hasKey) return 'verified'
  return status === 'pending' ? 'pending' : 'failing'
}
