// Mistakes that must not compile. If one of them compiles, tsc reports that its `@ts-expect-error` is not needed.

import type { components, operations } from './octavo.js'

type Schemas = components['schemas']
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

// @ts-expect-error The operation is misspelt.
export const misspelt: Schemas['BatchOperation'] = { op: 'upsrt', block: { type: 'paragraph' } }

// @ts-expect-error No block has this type.
export const unknownType: Schemas['NewBlockBody'] = { type: 'paragraf', content: 'a' }

// @ts-expect-error A block is missing.
export const incomplete: Schemas['BatchOperation'] = { op: 'upsert' }

// @ts-expect-error A paragraph has no check mark.
export const foreignKey: Schemas['NewBlockBody'] = { type: 'paragraph', properties: { checked: true } }

// @ts-expect-error The edit is misspelt.
export const unknownEdit: Schemas['MarkdownEdit'] = { op: 'apend', markdown: 'a' }

// @ts-expect-error The list has no such order.
export const unknownOrder: Query<'listPages'> = { sort: 'random' }

// @ts-expect-error The event of a page in the trash has no title.
export const foreignData = (event: Schemas['PageTrashedData']) => event.title

// @ts-expect-error No refusal has this issue.
export const unknownIssue: Schemas['ErrorDetail'] = { issue: 'version_mismach' }
