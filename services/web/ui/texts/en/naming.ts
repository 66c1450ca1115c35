/** Texts about the columns of an import file, and about the objects that they name. */
export const naming = {
  importNone: 'There is no object “{text}” for {label}, or you may not see it.',
  importNoneWithin: 'There is no object “{text}” for {label} within {within}, or you may not see it.',
  importSeveral: '“{text}” may be several objects for {label}: {some}. Say which by {ways}.',
  importNoObject: 'There is no object with the id {id}, or you may not see it.',
  importNoType: 'Of which type {label} is, the row does not say: fill in {columns}.',
  importNoId: 'A number is looked for as {what} here; an id stands in a column {column}.',
  importNeeds: 'Fill in {columns}, too.',
  importWhole: 'A whole number is expected.',
  importYesNo: 'Say true or false.',
  importTypes: 'Say one of these types: {types}.',
  importName: 'The name of an object is expected.',
  importRound: 'These rows lead to each other in a circle, so that none can be made first.',
  importPassed: 'Passed over, as nobody can write it, or as it is not there yet: {columns}.',
  importDone: '{made} objects were made, {changed} were changed.',
  importFound: 'found by its {by}',
  importFoundWithin: 'found by its {by} within {within}',
  importLeft:
    '{count} objects were made before something was refused, and you may not delete them. Nothing else was imported.',
} as const;
