// The address of an endpoint in the portal: /explorer/v2/messaging/post-messages-sms. Made from what the endpoint is, so
// links can be written by hand, in error answers and in other documents.

/** What an address is made from. */
export type Addressed = { version: string; category: string; method: string; path: string }

/** Words joined by hyphens, in lower case; `messageId` counts as two words. */
function kebab(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** `Contact Center` → `contact-center`. */
export function categorySlug(category: string): string {
  return kebab(category)
}

/** `POST /v2/messages/sms` → `post-messages-sms`; the prefixes `/v1/api` and `/v2` are left out. */
export function endpointSlug({ method, path }: Pick<Addressed, 'method' | 'path'>): string {
  return kebab(`${method} ${path.replace(/^\/v1\/api\/|^\/v\d+\//, '')}`)
}

/** The page of an endpoint, below the host. */
export function endpointAddress(endpoint: Addressed): string {
  return `/explorer/${endpoint.version}/${categorySlug(endpoint.category)}/${endpointSlug(endpoint)}`
}

/** The page of a problem code, below the host. */
export function problemAddress(code: string): string {
  return `/errors/${code}`
}
