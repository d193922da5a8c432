// Addresses that only programs of this very machine reach.
import ipaddr from 'ipaddr.js'

/** Whether only programs of this very machine reach an address: all of 127.0.0.0/8 and ::1, also as `::ffff:127.0.0.1`. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
