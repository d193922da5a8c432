// What stands while a screen is fetched, where no screen is, and where one is that the person may not see.
import { ShieldX } from 'lucide-react'
import { ButtonLink, EmptyState, LoadingRows, PageHeader, TextLink } from '../ui/index.ts'

export function Pending() {
  return <LoadingRows label="Loading the screen" />
}

export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        title="There is no such page"
        text="The address may be mistyped, or what it named may be gone."
        action={
          <>
            <ButtonLink to="/">Home</ButtonLink>
            <ButtonLink to="/explorer">Explorer</ButtonLink>
          </>
        }
      />
    </>
  )
}

/** In place of a screen the person's role may not read; nothing is asked of the server. */
export function Refused({ title, permission }: { title: string; permission: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon={<ShieldX size={20} />}
        title={`Your role may not see ${title.replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase())}`}
        text={
          <>
            Your role does not hold <code>{permission}</code>. Ask an Admin for a role that does. The API would answer{' '}
            <TextLink to="/errors/$code" params={{ code: 'insufficient_role' }}>
              insufficient_role
            </TextLink>
            .
          </>
        }
        action={<ButtonLink to="/">Back to the start</ButtonLink>}
      />
    </>
  )
}
