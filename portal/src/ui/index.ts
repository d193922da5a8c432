// The kit all screens are built from, as far as the frame needs it: what is named here comes with the first page. Parts that only some
// screens need, such as tabs, code and the combobox, are imported by their own files.
export * from './button.tsx'
export * from './chips.tsx'
export * from './fields.tsx'
export * from './format.tsx'
export * from './menu.tsx'
export * from './menu_item.ts'
export * from './overlay.tsx'
export * from './record.tsx'
export * from './states.tsx'
export * from './surface.tsx'
export * from './table.tsx'
export * from './toast.tsx'
