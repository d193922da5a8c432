// The language in which the portal speaks to a person, and mails to them are written. The choice holds at once, and wherever they log in.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { SelectField, toast } from '../ui/index.ts'
import { browserLanguage, currentLanguage, languageNames, languageOf, languages, speak } from '../words/language.ts'
import { t } from './texts.ts'

export function LanguageField({ locale }: { locale: string | null }) {
  const api = useApi()
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: (chosen: string | null) => api.account.update({ locale: chosen }),
    async onSuccess(saved) {
      cache.setQueryData(['live', 'account'], saved)
      await speak(saved.locale)
      toast({ text: t('languageSaved', { language: languageNames[currentLanguage()] }) })
    },
  })
  return (
    <SelectField
      label={t('language')}
      hint={t('languageHint')}
      error={save.error === null ? undefined : faultText(save.error)}
      disabled={save.isPending}
      value={(locale !== null && languageOf(locale)) || ''}
      options={[
        { value: '', label: t('languageBrowser', { language: languageNames[browserLanguage()] }) },
        ...languages.map(language => ({ value: language, label: languageNames[language] })),
      ]}
      onChange={({ target }) => save.mutate(target.value === '' ? null : target.value)}
    />
  )
}
