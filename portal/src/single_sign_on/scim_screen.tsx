// SCIM: the address for the provider, which role its groups give, and its last requests with what was wrong.
import type { ScimGetReply } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { Form, useFormFields } from '../forms/form.tsx'
import { useTypedOver } from '../forms/typed_over.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { CodeBlock } from '../ui/code.tsx'
import {
  Button,
  ButtonLink,
  Card,
  CheckboxField,
  ErrorNote,
  ErrorState,
  HttpStatus,
  LoadingRows,
  PageHeader,
  SelectField,
  TextArea,
  Time,
  toast,
} from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { type Known, mapOfText, textOfMap } from './group_rules.ts'
import styles from './single_sign_on.module.css'
import { t } from './texts.ts'

export function ScimScreen() {
  const { permissions } = useSession()
  if (!permissions.has('scim:manage')) return <Refused title={t('scim')} />
  return (
    <InLiveMode>
      <Screen />
    </InLiveMode>
  )
}

function Screen() {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'scim'],
    queryFn: ({ signal }) => api.scim.get({}, { signal }),
  })
  const refetch = () => void query.refetch()
  const known = useKnown()
  useLiveRelated({ events: ['scim_settings.*'], isMine: () => true, onChange: refetch })
  return (
    <>
      <PageHeader title={t('scim')} description={t('scim.about')} />
      {query.isPending ? (
        <LoadingRows label={t('scim.loading')} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={refetch} />
      ) : (
        <div className={styles['cards']}>
          <Card title={t('scim.forProvider')}>
            <CodeBlock label={t('scim.address')} code={query.data.baseUrl} wrap />
            <p className={styles['below']}>
              {t('scim.token')}{' '}
              <ButtonLink to={'/keys' as '/'} size="sm">
                {t('scim.key')}
              </ButtonLink>
            </p>
          </Card>
          {known !== undefined && (
            <>
              <Settings stored={query.data} known={known} onSaved={refetch} />
              <Groups scim={query.data} known={known} />
            </>
          )}
          <Requests scim={query.data} onLook={refetch} />
        </div>
      )}
    </>
  )
}

/** Roles and teams of the organization's own, which groups may give; none for who may not see them. */
function useKnown(): Known | undefined {
  const api = useApi()
  const { mode, permissions } = useSession()
  const query = useQuery({
    queryKey: [mode, 'scim', 'known'],
    queryFn: async (): Promise<Known> => {
      const [roles, teams] = await Promise.all([
        permissions.has('roles:manage') ? api.roles.list() : undefined,
        permissions.has('teams:read') ? api.teams.list({ limit: 200 }) : undefined,
      ])
      return {
        roles: (roles?.roles ?? []).flatMap(({ roleId, name }) => (roleId === null ? [] : [{ id: roleId, name }])),
        teams: (teams?.items ?? []).map(({ teamId, name }) => ({ id: teamId, name })),
      }
    },
  })
  return query.data
}

type Role = ScimGetReply['defaultRole']
const exampleMap = 'Sales leads = Sales Manager + team North'
const roles = ['Sales Executive', 'Sales Manager', 'Finance Manager'].map(role => ({ value: role, label: role }))

function Settings({ stored, known, onSaved }: { stored: ScimGetReply; known: Known; onSaved(): void }) {
  const api = useApi()
  const before = {
    enabled: stored.enabled,
    defaultRole: stored.defaultRole,
    groupMap: textOfMap(stored.groupMap, known),
  }
  const over = useTypedOver<typeof before>(before)
  const { values } = over
  const save = useMutation({
    mutationFn: async () => {
      const { groupMap, ...plain } = over.changed
      await api.scim.update({ ...plain, ...(groupMap !== undefined && { groupMap: mapOfText(groupMap, known) }) })
      return values
    },
    onSuccess: sent => {
      over.saved(sent)
      toast({ text: t('scim.saved') })
      onSaved()
    },
  })
  const fields = useFormFields<typeof before>(over, save.error, ['defaultRole', 'groupMap'])
  return (
    <Card title={t('scim.settings')}>
      <Form className={record['form']} ref={fields.form} onSubmit={() => save.mutate()}>
        {fields.general !== undefined && <ErrorNote text={fields.general} />}
        <CheckboxField
          label={t('scim.enabled')}
          hint={t('scim.enabledHint')}
          checked={values.enabled}
          onChange={event => fields.put('enabled', event.target.checked)}
        />
        <SelectField
          label={t('defaultRole')}
          options={roles}
          value={values.defaultRole}
          error={fields.fields['defaultRole']}
          onChange={event => fields.put('defaultRole', event.target.value as Role)}
        />
        <TextArea
          label={t('scim.map')}
          className={record['wide']}
          optional
          rows={3}
          placeholder={exampleMap}
          hint={t('scim.mapHint')}
          {...fields.text('groupMap')}
        />
        <div className={record['wide']}>
          <Button variant="primary" type="submit" busy={save.isPending}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function Groups({ scim: { groups, groupMap, users }, known }: { scim: ScimGetReply; known: Known }) {
  const givenBy = (name: string) => {
    const rules = groupMap.filter(({ group }) => group.toLowerCase() === name.toLowerCase())
    return textOfMap(rules, known)
      .split('\n')
      .map(line => line.slice(line.lastIndexOf('=') + 1).trim())
  }
  return (
    <Card title={t('scim.keeps')}>
      <p>{t('scim.counts', { users, groups: groups.length })}</p>
      {groups.length > 0 && (
        <ul>
          {groups.map(({ groupId, displayName, members }) => (
            <li key={groupId}>
              {t('scim.group', {
                name: displayName,
                members,
                gives: listText(givenBy(displayName)) || t('scim.noRole'),
              })}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Requests({ scim: { requests }, onLook }: { scim: ScimGetReply; onLook(): void }) {
  return (
    <Card
      title={t('scim.requests')}
      actions={
        <Button size="sm" onClick={onLook}>
          {t('scim.look')}
        </Button>
      }
    >
      {requests.length === 0 ? (
        <p>{t('scim.requestsNone')}</p>
      ) : (
        <ul>
          {requests.map(({ at, method, path, status, fault }) => (
            <li key={at + method + path}>
              <Time iso={at} /> <HttpStatus status={status} /> {method} <code>{path}</code>
              {fault !== null && <> — {fault}</>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
