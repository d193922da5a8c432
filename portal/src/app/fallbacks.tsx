// What stands while a screen is fetched, and where no screen is.
import { ButtonLink, EmptyState, LoadingRows, useDocumentTitle } from '../ui/index.ts'

export function Pending() {
  return <LoadingRows label="Loading the screen" />
}

export function NotFound() {
  useDocumentTitle('Not found')
  return (
    <EmptyState
      title="There is no such page"
      text="The address may be mistyped, or what it named may be gone."
      action={
        <>
          <ButtonLink to="/">Dashboard</ButtonLink>
          <ButtonLink to="/explorer">Explorer</ButtonLink>
        </>
      }
    />
  )
}
