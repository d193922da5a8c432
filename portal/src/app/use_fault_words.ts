// Fetches what problems of the server mean, for those who do not read English, once the page stands.
import { useEffect } from 'react'
import { setFaultWords } from '../ui/faults.ts'
import { useLanguage } from '../words/language.ts'

const waitMs = 500

export function useFaultWords(): void {
  const language = useLanguage()
  useEffect(() => {
    if (language === 'en') return undefined
    const timer = setTimeout(() => {
      // Where they cannot be fetched, problems are said in the server's words.
      void import('../problems/index.ts').then(module => setFaultWords(module.faultWords)).catch(() => undefined)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [language])
}
