// Which process holds a port, where Linux lets us see: the socket's inode in /proc/net, and who has a file descriptor of it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Holder = {
  pid: number
  name: string
  /** The process and those that it comes from, up to the first. */
  lineage: number[]
}

/** Undefined where nobody does, or it is not for this user to see. */
export function holderOf(port: number, protocol: 'tcp' | 'udp'): Holder | undefined {
  const inodes = new Set([`${protocol}`, `${protocol}6`].flatMap(table => inodesOf(table, port)))
  if (inodes.size === 0) return undefined
  for (const pid of processes()) {
    if (!descriptorsOf(pid).some(link => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''))) continue
    return { pid, name: read(`/proc/${pid}/comm`).trim() || 'a process', lineage: lineageOf(pid) }
  }
  return undefined
}

/** Of sockets that listen (TCP, state 0A) or are bound (UDP). */
function inodesOf(table: string, port: number): string[] {
  const lines = read(`/proc/net/${table}`).split('\n').slice(1)
  return lines.flatMap(line => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const isOpen = table.startsWith('udp') || state === '0A'
    return isOpen && Number.parseInt(local.split(':')[1] ?? '', 16) === port ? [inode] : []
  })
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(name => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${name}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}

function lineageOf(pid: number): number[] {
  const found: number[] = []
  for (let one = pid; one > 0 && !found.includes(one); ) {
    found.push(one)
    one = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0)
  }
  return found
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
