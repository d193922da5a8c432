// Mail templates: the organization's own words, and those of the server to begin from.
import type { MailTemplate } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { EditTemplateForm, NewTemplateForm } from './template_form.tsx'

const templates: Resource<MailTemplate> = {
  many: 'mail templates',
  about: 'Mails in your own words, in Liquid. What has none of yours, has those of the server, which stand below.',
  from: api => api.mailTemplates.list,
  id: 'templateId',
  nameOf: ({ key }) => `the template ${key}`,
  filters: [{ name: 'key', label: 'Key', placeholder: 'invitation' }],
  columns: [
    { name: 'key', label: 'Key', px: 220 },
    { name: 'locale', label: 'Language', px: 120, cell: ({ locale }) => (locale === '' ? 'all' : locale) },
    { name: 'subject', label: 'Subject' },
    { name: 'updatedAt', label: 'Changed', kind: 'time' },
  ],
  actions: { px: 110, needs: 'mail:manage', cell: template => <RemoveButton template={template} /> },
  edit: 'mail:manage',
  create: {
    label: 'Create a template',
    needs: 'mail:manage',
    Form: NewTemplateForm,
    saved: ({ key }) => `${key} is kept.`,
  },
  below: <BuiltIns />,
  Dialogs: EditDialog,
  empty: {
    title: 'No words of your own yet',
    text: 'Every mail has the words of the server. Put one into your own words, or make a template for POST /v2/mails.',
  },
}

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
    <Card title="Words of the server">
      <ul>
        {list.map(({ key, about, stream }) => (
          <li key={key}>
            <code>{key}</code> <Chip>{stream}</Chip> {about}{' '}
            {permissions.has('mail:manage') && (
              <Button
                size="sm"
                aria-label={`Put ${key} into own words`}
                onClick={() => change({ create: key }, { push: true })}
              >
                Own words
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
      aria-label={`Delete the template ${template.key}`}
      onClick={() => show(onDone => <RemoveDialog template={template} onClose={onDone} />)}
    >
      Delete
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
      toast({ text: `${key} has the words of the server again, if it has any.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete the template ${key}`}
      description="Mails of this key have the words of the server again. Mails that wait keep theirs."
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
