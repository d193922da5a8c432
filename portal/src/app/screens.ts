// Every screen of the portal, as its folder declares it: the one list. Router, navigation, palette, shortcuts and the tests of all
// screens are made of it; within an entry the navigation keeps this order.
import { account } from '../account/screen.ts'
import { apps, authorizations, oauthClients } from '../apps/screen.ts'
import { audit } from '../audit/screen.ts'
import { authorize, device } from '../authorize/screen.ts'
import { calls } from '../calls/screen.ts'
import { carriers } from '../carriers/screen.ts'
import { companies } from '../companies/screen.ts'
import { conferences } from '../conferences/screen.ts'
import { contacts } from '../contacts/screen.ts'
import { dashboard } from '../dashboard/screen.ts'
import { destinations } from '../destinations/screen.ts'
import { events } from '../events/screen.ts'
import { errors, explorer } from '../explorer/screen.ts'
import { home } from '../home/screen.ts'
import { imports } from '../imports/screen.ts'
import { inbox } from '../inbox/screen.ts'
import { invite } from '../invite/screen.ts'
import { invoices } from '../invoices/screen.ts'
import { keys } from '../keys/screen.ts'
import { leads } from '../leads/screen.ts'
import { login } from '../login/screen.ts'
import { logs } from '../logs/screen.ts'
import { mailDomains } from '../mail_domains/screen.ts'
import { mailInbox } from '../mail_inbox/screen.ts'
import { mailSenders } from '../mail_senders/screen.ts'
import { mailSuppressions } from '../mail_suppressions/screen.ts'
import { mailTemplates } from '../mail_templates/screen.ts'
import { mailTransports } from '../mail_transports/screen.ts'
import { mailboxes } from '../mailboxes/screen.ts'
import { confirmEmail, signIn, undoEmail } from '../mailed/screen.ts'
import { mails } from '../mails/screen.ts'
import { messages } from '../messages/screen.ts'
import type { NamedPage, NamedScreen, ScreenEntry } from '../navigation/screen.ts'
import { pageName, translated } from '../navigation/translated.ts'
import { numbers } from '../numbers/screen.ts'
import { operator } from '../operator/screen.ts'
import { optOuts } from '../opt_outs/screen.ts'
import { organization } from '../organization/screen.ts'
import { authorized, playground } from '../playground/screen.ts'
import { privacy } from '../privacy/screen.ts'
import { recordings } from '../recordings/screen.ts'
import { reset } from '../reset/screen.ts'
import { roles } from '../roles/screen.ts'
import { security } from '../security/screen.ts'
import { services } from '../services/screen.ts'
import { settings } from '../settings/screen.ts'
import { signUp } from '../sign_up/screen.ts'
import { organizationDomains, scim, singleSignOn } from '../single_sign_on/screen.ts'
import { phones } from '../sip_credentials/screen.ts'
import { handset } from '../sms_simulator/screen.ts'
import { status } from '../status/screen.ts'
import { teams } from '../teams/screen.ts'
import { trunks } from '../trunks/screen.ts'
import { usage } from '../usage/screen.ts'
import { users } from '../users/screen.ts'
import { webhooks } from '../webhooks/screen.ts'

const declared: readonly ScreenEntry[] = [
  login,
  reset,
  signUp,
  signIn,
  confirmEmail,
  undoEmail,
  invite,
  authorize,
  device,
  authorized,
  operator,
  account,
  home,
  dashboard,
  explorer,
  playground,
  keys,
  apps,
  webhooks,
  inbox,
  messages,
  handset,
  numbers,
  services,
  optOuts,
  mails,
  mailInbox,
  mailTemplates,
  mailSuppressions,
  mailSenders,
  mailDomains,
  mailTransports,
  mailboxes,
  carriers,
  calls,
  conferences,
  recordings,
  trunks,
  destinations,
  phones,
  leads,
  contacts,
  companies,
  imports,
  invoices,
  logs,
  errors,
  events,
  usage,
  users,
  roles,
  teams,
  audit,
  organization,
  status,
  security,
  privacy,
  organizationDomains,
  singleSignOn,
  scim,
  authorizations,
  oauthClients,
  settings,
]

export const screens: readonly NamedScreen[] = declared.map(translated)

/** Those that the navigation and the page of settings lead to. */
export const navigation: readonly NamedScreen[] = screens.filter(
  ({ entries, setting }) => entries !== undefined || setting !== undefined,
)

/** All pages with their addresses: those of the navigation, and those that are reached from them. */
export const pages: readonly NamedPage[] = screens.flatMap(screen => [
  screen,
  ...(screen.pages ?? []).map(page => ({
    load: screen.load,
    ...page,
    get name() {
      return pageName(page.id)
    },
  })),
])
