// How many decimals a currency has, by ISO 4217: two where it is none of the few that differ, or not known yet.
// The server has the same list (`kernel/values/money.ts`), and a test of invoices holds the two against each other.

const decimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3])),
  CLF: 4,
  UYW: 4,
}

export const decimalsOf = (currency: string) => decimals[currency] ?? 2
