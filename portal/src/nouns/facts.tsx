// The facts of a record: every field with its value, and a pencil where it may be changed.
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Card, IconButton } from '../ui/index.ts'
import { InlineEditor } from './inline_editor.tsx'
import { fieldsOf, fieldValue, type NounDescription, type NounField, type NounRecord, within } from './noun.ts'
import styles from './nouns.module.css'
import { useMayChange } from './rights.ts'
import { t } from './texts.ts'
import { FieldValue } from './values.tsx'

type FactsProps = {
  noun: NounDescription
  record: NounRecord
  mayEdit: boolean
  /** Fields that are shown elsewhere. */
  apart?: readonly string[]
  onSaved?(saved: NounRecord): void
}

/** Every field with its value, and a pencil where it may be changed. */
export function Facts({ noun, record: shown, mayEdit, apart = [], onSaved }: FactsProps) {
  const mayChange = useMayChange(noun)
  // What a form does not set is there once it has a value.
  const isShown = (field: NounField) =>
    !apart.includes(field.name) && (field.fixed !== true || fieldValue(field, shown) != null)
  const [edited, setEdited] = useState<string>()
  return (
    <Card title={t('details')}>
      <dl className={styles['facts']}>
        {fieldsOf(noun)
          .filter(isShown)
          .map(field => (
            <Fact
              key={field.name}
              noun={noun}
              record={shown}
              field={field}
              mayEdit={mayEdit && mayChange(shown, field)}
              isEdited={edited === field.name}
              onEdit={isEdited => setEdited(isEdited ? field.name : undefined)}
              onSaved={saved => {
                setEdited(undefined)
                onSaved?.(saved)
              }}
            />
          ))}
      </dl>
    </Card>
  )
}

/** What is not known stays in the background. */
const isEmpty = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)

type FactProps = {
  noun: NounDescription
  record: NounRecord
  field: NounField
  mayEdit: boolean
  isEdited: boolean
  onEdit(isEdited: boolean): void
  onSaved(saved: NounRecord): void
}

function Fact({ noun, record: shown, field, mayEdit, isEdited, onEdit, onSaved }: FactProps) {
  return (
    <div className={styles['fact']}>
      <dt title={field.about}>{field.label}</dt>
      <dd>
        {isEdited ? (
          <InlineEditor noun={noun} record={shown} field={field} onSaved={onSaved} onClose={() => onEdit(false)} />
        ) : (
          <span className={styles['cell']}>
            <span dir="auto" data-empty={isEmpty(fieldValue(field, shown)) || undefined}>
              <FieldValue
                field={field}
                value={fieldValue(field, shown)}
                compact={field.kind === 'moment' && field.fixed === true}
              />
            </span>
            {mayEdit && (
              <IconButton
                className={styles['pencil']}
                size="sm"
                label={t('editNamed', { name: within(field.label) })}
                icon={<Pencil size={12} />}
                onClick={() => onEdit(true)}
              />
            )}
          </span>
        )}
      </dd>
    </div>
  )
}
