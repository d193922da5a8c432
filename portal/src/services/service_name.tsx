// The name of a messaging service, as the way to it.
import { useServiceOptions } from '../data/messaging_lists.ts'
import { TextLink } from '../ui/index.ts'

export function ServiceName({ id }: { id: string }) {
  const options = useServiceOptions()
  return (
    <TextLink to="/services/$id" params={{ id }}>
      {options.find(({ value }) => value === id)?.label ?? id}
    </TextLink>
  )
}
