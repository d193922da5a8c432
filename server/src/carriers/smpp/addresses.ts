// Addresses between SMPP and us: E.164 with +, short codes and names here; a type of number, a numbering plan and text there.
// Pure.
import { ton } from '@tandem/smpp'
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/min'
import { parsePhone } from '../../kernel/values/phone.ts'
import type { SmppSettings } from './settings.ts'

/** Fewer digits than this are a short code unless they are said to be an international number. */
const shortestNumber = 8

/** E.164 where the address is a number, else as it came: a name or a short code. */
export function addressOf(address: string, typeOfNumber: number, { defaultCountry }: SmppSettings): string {
  const isNumber = /^\+?\d+$/.test(address)
  if (typeOfNumber === ton.alphanumeric || !isNumber) return address
  if (address.startsWith('+') || typeOfNumber === ton.international) return internationalNumber(address)
  if (typeOfNumber === ton.networkSpecific || typeOfNumber === ton.abbreviated) return address
  if (address.length < shortestNumber) return address
  return (
    nationalNumber(address, typeOfNumber, defaultCountry) ??
    (address.startsWith('0') ? address : internationalNumber(address))
  )
}

/** Short codes are called international too, by carriers that call everything so: no number in E.164 is that short. */
function internationalNumber(address: string): string {
  const digits = address.replace(/^(\+|00)/, '')
  return parsePhone(`+${digits}`) ?? (digits.length < shortestNumber ? digits : `+${digits}`)
}

/** The reading by the country of the settings. Many carriers send international numbers bare, and say nothing of that. */
function nationalNumber(address: string, typeOfNumber: number, country: string | null): string | undefined {
  if (country === null) return undefined
  const isBare = typeOfNumber !== ton.national && address.startsWith(getCountryCallingCode(country as CountryCode))
  return (isBare ? parsePhone(`+${address}`) : undefined) ?? parsePhone(address, country)
}

/** A sender with its type. */
export function sourceOf(from: string, settings: SmppSettings) {
  if (from.startsWith('+')) {
    const { numberTon, numberNpi } = settings
    return { sourceAddrTon: numberTon, sourceAddrNpi: numberNpi, sourceAddr: numberText(from, settings) }
  }
  if (/^\d+$/.test(from)) {
    return { sourceAddrTon: settings.shortCodeTon, sourceAddrNpi: settings.shortCodeNpi, sourceAddr: from }
  }
  return { sourceAddrTon: settings.alphanumericTon, sourceAddrNpi: settings.alphanumericNpi, sourceAddr: from }
}

/** A recipient with its type. */
export function destinationOf(to: string, settings: SmppSettings) {
  const { destinationTon, destinationNpi } = settings
  return { destAddrTon: destinationTon, destAddrNpi: destinationNpi, destinationAddr: numberText(to, settings) }
}

function numberText(number: string, { plusSign }: SmppSettings): string {
  return plusSign ? number : number.replace(/^\+/, '')
}
