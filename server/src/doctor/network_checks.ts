// What doctor looks at on the network: whose the ports are, what the DNS says of the names in the settings, and whether telephones
// beyond a NAT are given an address that they reach.
import { createSocket } from 'node:dgram'
import { connect, createServer, isIP } from 'node:net'
import { isLoopback } from '../kernel/values/loopback.ts'
import { isReadOnTheWay, plainHttpWarning } from '../plain_http.ts'
import { type Check, type Finding, type Ground, ok, problem, warning } from './finding.ts'
import { holderOf } from './port_holder.ts'

type Port = { name: string; setting: string; port: number; address: string; protocol: 'tcp' | 'udp'; lazy?: boolean }

function portsOf({ config }: Ground): Port[] {
  const { host, port, roles, sipAddress, sipPort, sipTlsPort, sipTlsCert, mailPort } = config
  const sip = { address: sipAddress, lazy: true }
  const all: Port[] = []
  if (roles.includes('api')) all.push({ name: 'HTTP', setting: 'PORT', port, address: host, protocol: 'tcp' })
  if (roles.includes('voice')) {
    all.push({ ...sip, name: 'SIP', setting: 'TANDEM_SIP_PORT', port: sipPort, protocol: 'udp' })
    all.push({ ...sip, name: 'SIP', setting: 'TANDEM_SIP_PORT', port: sipPort, protocol: 'tcp' })
    if (sipTlsCert !== undefined)
      all.push({ ...sip, name: 'SIP over TLS', setting: 'TANDEM_SIP_TLS_PORT', port: sipTlsPort, protocol: 'tcp' })
  }
  if (roles.includes('worker') && mailPort !== undefined)
    all.push({ name: 'mail', setting: 'TANDEM_MAIL_PORT', port: mailPort, address: host, protocol: 'tcp' })
  return all.filter(one => one.port !== 0)
}

export const ports: Check = ground => Promise.all(portsOf(ground).map(port => portFinding(ground, port)))

async function portFinding(
  { serverPid }: Ground,
  { name, setting, port, address, protocol, lazy }: Port,
): Promise<Finding> {
  const check = `port ${port}/${protocol} (${name})`
  const fault = await (protocol === 'tcp' ? tryTcp(port, address) : tryUdp(port, address))
  if (fault === undefined) {
    const isMissing = serverPid !== undefined && lazy !== true
    return isMissing
      ? problem(
          check,
          'nothing listens there, although a server runs',
          `Is it the server of these settings? See its log, and ${setting}.`,
        )
      : ok(check, 'free')
  }
  if (fault === 'EACCES')
    return problem(
      check,
      'this user may not open a port below 1024',
      `Set ${setting} to one above 1023, or give the unit AmbientCapabilities=CAP_NET_BIND_SERVICE.`,
    )
  if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND')
    return problem(check, `${address} is no address of this machine`, 'Correct HOST or TANDEM_SIP_ADDRESS.')
  if (fault !== 'EADDRINUSE')
    return warning(check, `it could not be tried (${fault})`, `See whether ${setting} is right.`)
  const holder = holderOf(port, protocol)
  const isOurs = serverPid !== undefined && (holder === undefined || holder.lineage.includes(serverPid))
  if (isOurs) return ok(check, 'the server listens there')
  const who = holder === undefined ? 'another program' : `${holder.name} (process ${holder.pid})`
  return problem(check, `${who} has it`, `Stop that program, or set ${setting} to a free port.`)
}

function tryTcp(port: number, host: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function tryUdp(port: number, address: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => socket.close(() => resolve(error.code ?? error.message)))
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(undefined)))
  })
}

export const plainHttp: Check = ({ config }) => {
  if (!config.roles.includes('api')) return []
  const [what = '', remedy = ''] = plainHttpWarning.split(': ')
  return isReadOnTheWay(config)
    ? [warning('plain HTTP', what, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}`)]
    : [ok('plain HTTP', 'it is open to this machine alone, or a proxy with TLS is set up')]
}

export const publicName: Check = async ({ config: { publicUrl }, names }) => {
  if (publicUrl === undefined) return []
  const { hostname } = new URL(publicUrl)
  const name = hostname.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0 || name === 'localhost') return [ok('DNS of TANDEM_PUBLIC_URL', `${name} needs no DNS`)]
  const remedy = `Set an A or AAAA record for ${name} at your DNS, or correct TANDEM_PUBLIC_URL.`
  try {
    return [ok('DNS of TANDEM_PUBLIC_URL', `${name} is ${(await names.addresses(name)).join(', ')}`)]
  } catch (error) {
    const { code } = error as { code?: string }
    const isUnknown = code === 'ENOTFOUND' || code === 'ENODATA'
    return [
      isUnknown
        ? problem('DNS of TANDEM_PUBLIC_URL', `the DNS knows no address of ${name}`, remedy)
        : warning(
            'DNS of TANDEM_PUBLIC_URL',
            `the DNS does not answer (${code})`,
            'See /etc/resolv.conf and the network of this machine.',
          ),
    ]
  }
}

export const mailName: Check = async ({ config: { mailDomain }, names }) => {
  if (mailDomain === undefined) return []
  const check = 'DNS of TANDEM_MAIL_DOMAIN'
  try {
    const servers = (await names.mailServers(mailDomain)).sort((a, b) => a.priority - b.priority)
    return [ok(check, `mail for ${mailDomain} goes to ${servers.map(({ exchange }) => exchange).join(', ')}`)]
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA'
      ? [
          problem(
            check,
            `the DNS has no MX record of ${mailDomain}`,
            `Set one that names this server, as in "${mailDomain}. MX 10 tandem.example.com.", or mail never comes in.`,
          ),
        ]
      : [warning(check, `the DNS does not answer (${code})`, 'See /etc/resolv.conf and the network of this machine.')]
  }
}

const privateRange =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|f[cd]|fe80)/i

export const nat: Check = ({ config, ownAddresses }) => {
  if (!config.roles.includes('voice')) return []
  return natFindings(config, ownAddresses)
}

type NatSettings = Pick<Ground['config'], 'sipAddress' | 'sipPublicAddress' | 'webrtcPublicAddress'>

/** Whether telephones elsewhere are given an address that leads here. @param own addresses of this machine */
export function natFindings(
  { sipAddress, sipPublicAddress, webrtcPublicAddress }: NatSettings,
  own: readonly string[],
): Finding[] {
  if (isLoopback(sipAddress)) return [ok('NAT', 'SIP and the sound of calls stay on this machine')]
  const outer = own.filter(address => !isLoopback(address) && !privateRange.test(address) && isIP(address) === 4)
  if (sipPublicAddress === undefined && outer.length === 0)
    return [
      warning(
        'NAT',
        'all addresses of this machine are private, and TANDEM_SIP_PUBLIC_ADDRESS is not set: carriers beyond the NAT would send sound to where nobody hears it',
        'Set TANDEM_SIP_PUBLIC_ADDRESS (and TANDEM_WEBRTC_PUBLIC_ADDRESS) to the address that the router has outside, and have it pass UDP of TANDEM_SIP_PORT and TANDEM_RTP_PORTS on.',
      ),
    ]
  if (sipPublicAddress === undefined) return [ok('NAT', `telephones reach this machine at ${outer.join(', ')}`)]
  if (privateRange.test(sipPublicAddress) && !own.includes(sipPublicAddress))
    return [
      problem(
        'NAT',
        `TANDEM_SIP_PUBLIC_ADDRESS is ${sipPublicAddress}, which is private and no address of this machine`,
        'Set it to the address that the router has outside.',
      ),
    ]
  const isHere = own.includes(sipPublicAddress)
  const words = isHere
    ? `TANDEM_SIP_PUBLIC_ADDRESS ${sipPublicAddress} is an address of this machine`
    : `TANDEM_SIP_PUBLIC_ADDRESS ${sipPublicAddress} is that of a router: it must pass UDP of TANDEM_SIP_PORT and TANDEM_RTP_PORTS on`
  if (!isHere && webrtcPublicAddress === undefined)
    return [
      warning(
        'NAT',
        `${words}; TANDEM_WEBRTC_PUBLIC_ADDRESS is not set`,
        'Set it too, where browsers outside are to call.',
      ),
    ]
  return [ok('NAT', words)]
}

export const mailOut: Check = async ({ config: { smtpUrl } }) => {
  if (smtpUrl === undefined)
    return [
      warning(
        'mail',
        'no mail leaves the installation: passwords are reset and people invited by links that an Admin hands over',
        'Set TANDEM_SMTP_URL and TANDEM_MAIL_FROM (docs/mail.md).',
      ),
    ]
  const { hostname, port, protocol } = new URL(smtpUrl)
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'smtps:' ? 465 : 587) }
  const fault = await tryConnect(target)
  return fault === undefined
    ? [ok('mail', `the mail server ${target.host}:${target.port} takes connections`)]
    : [
        problem(
          'mail',
          `the mail server ${target.host}:${target.port} cannot be reached (${fault})`,
          'Correct TANDEM_SMTP_URL, or open that port in the firewall; many hosters close 25, and 465 or 587 are open.',
        ),
      ]
}

function tryConnect({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 4_000 })
    const end = (fault: string | undefined) => {
      socket.destroy()
      resolve(fault)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end('no answer within 4 seconds'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}
