// What the server made and shows this once, to be copied.
import { CodeBlock } from '../ui/code.tsx'
import { Button, Dialog } from '../ui/index.ts'
import { t } from './texts.ts'

type Shown = { title: string; text: string; label: string; value: string; onClose(): void }

export function ShownOnce({ title, text, label, value, onClose }: Shown) {
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={text}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <CodeBlock label={label} code={value} wrap />
    </Dialog>
  )
}
