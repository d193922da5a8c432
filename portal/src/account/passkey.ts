// Passkeys in the browser: made, used, and offered where fields are filled in. The library is loaded when one is wanted.
import { apiOf } from '../session/api.ts'

const library = () => import('@simplewebauthn/browser')

/** Whether this page can use passkeys at all: they are bound to a host name, and an address is none (WebAuthn §5.1.2). */
export function mayUsePasskeys(): boolean {
  const { hostname } = window.location
  return window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(hostname)
}

/** Makes one, and keeps it on the server. */
export async function addPasskey(name: string) {
  const api = apiOf('live')
  const optionsJSON = await api.factors.passkeyOptions({})
  const { startRegistration } = await library()
  const credential = await startRegistration({ optionsJSON })
  const { transports = [], ...response } = credential.response
  return api.factors.createPasskey({
    name,
    credential: { ...credential, clientExtensionResults: {}, response: { ...response, transports } },
  })
}

/** What a passkey signs, of those that the browser knows; undefined when it cannot be had. The person may have said no. */
export async function askForPasskey(): Promise<Signed | undefined> {
  return sign(false)
}

/** The same, among what the browser offers for the field of the name: comes when the person takes it there. */
export async function passkeyOfField(): Promise<Signed | undefined> {
  const { browserSupportsWebAuthnAutofill } = await library()
  return (await browserSupportsWebAuthnAutofill()) ? sign(true) : undefined
}

type Signed = Parameters<ReturnType<typeof apiOf>['auth']['logInWithPasskey']>[0]['assertion']

async function sign(useBrowserAutofill: boolean): Promise<Signed | undefined> {
  const optionsJSON = await apiOf('live').auth.passkeyOptions()
  if (optionsJSON.rpId !== window.location.hostname) return undefined
  const { startAuthentication } = await library()
  try {
    const signed = await startAuthentication({ optionsJSON, useBrowserAutofill })
    return { ...signed, clientExtensionResults: {} }
  } catch {
    // Not taken, or another request took its place.
    return undefined
  }
}
