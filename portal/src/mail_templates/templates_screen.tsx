// Mail templates: the organization's own words, and those of the server to begin from.
import type { MailTemplate } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { t as tMails } from '../mails/texts.ts'
import { streamText } from '../mails/words.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { EditTemplateForm, NewTemplateForm } from './template_form.tsx'
import styles from './templates.module.css'
import { t } from './texts.ts'

const templates = byLanguage(
  (): Resource<MailTemplate> => ({
    many: 'mail templates',
    things: t('things'),
    about: t('about'),
    from: api => api.mailTemplates.list,
    id: 'templateId',
    nameOf: ({ key }) => key,
    filters: [{ name: 'key', label: t('key'), placeholder: t('exampleFilter') }],
    columns: [
      { name: 'key', label: t('key'), px: 220 },
      {
        name: 'locale',
        label: t('language'),
        px: 120,
        cell: ({ locale }) => (locale === '' ? t('allLanguages') : locale),
      },
      { name: 'subject', label: t('subject') },
      { name: 'updatedAt', label: t('changedAt'), kind: 'time' },
    ],
    actions: { px: 110, needs: 'mail:manage', cell: template => <RemoveButton template={template} /> },
    edit: 'mail:manage',
    create: {
      label: t('createOne'),
      needs: 'mail:manage',
      Form: NewTemplateForm,
      saved: ({ key }) => t('created', { key }),
    },
    below: <BuiltIns />,
    Dialogs: EditDialog,
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

export const MailTemplatesScreen = () => <ResourceScreen of={templates} />

function EditDialog({ items }: { items: readonly MailTemplate[] }) {
  const [params, change] = useParamsOfAddress()
  const { permissions } = useSession()
  const template = items.find(({ templateId }) => templateId === params['edit'])
  if (template === undefined || !permissions.has('mail:manage')) return null
  return <EditTemplateForm key={template.templateId} template={template} onClose={() => change({ edit: undefined })} />
}

function BuiltIns() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [, change] = useParamsOfAddress()
  const query = useQuery({
    queryKey: [mode, 'built-in mail templates'],
    queryFn: ({ signal }) => api.mailTemplates.builtIn({}, { signal }),
  })
  const list = query.data?.templates ?? []
  if (list.length === 0) return null
  return (
    <Card title={t('builtIn')} flush>
      <ul className={styles['builtIns']}>
        {list.map(({ key, about, stream }) => (
          <li key={key}>
            <div>
              <code>{key}</code> <Chip>{streamText(stream)}</Chip>
              <p>{about}</p>
            </div>
            {permissions.has('mail:manage') && (
              <Button
                size="sm"
                aria-label={t('customizeKey', { key })}
                onClick={() => change({ create: key }, { push: true })}
              >
                {t('customize')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RemoveButton({ template }: { template: MailTemplate }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={tMails('deleteName', { name: template.key })}
      onClick={() => show(onDone => <RemoveDialog template={template} onClose={onDone} />)}
    >
      {tMails('delete')}
    </Button>
  )
}

function RemoveDialog({ template: { templateId, key }, onClose }: { template: MailTemplate; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.mailTemplates.delete({ templateId }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail templates'] })
      toast({ text: tMails('deleted', { name: key }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={tMails('deleteTitle', { name: key })}
      description={t('deleteText')}
      confirmLabel={tMails('delete')}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}
