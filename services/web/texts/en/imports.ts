/** Why a text cannot be read, and how far an import of many objects is. */
export const imports = {
  importRows: 'No more than {count} objects can be imported at once. Divide the text into several.',
  importFields: 'An object may have {count} fields at most.',
  importValues: 'A text may bring {count} values at most. Divide it into several.',
  importDepth: 'Lists and objects may lie {count} levels deep at most.',
  importLength: 'This is longer than {count} characters.',
  importSize: 'With everything written out that aliases stand for, this is longer than {count} characters.',
  importNumber: 'This is not a number that can be kept.',
  importObject: 'An object is expected here.',
  importColumnTwice: '“{name}” stands here twice.',
  importMalformed: 'This is not valid {format}: {text}',
  importJsonValue: 'This is not valid JSON: a value is expected here.',
  importJsonComma: 'This is not valid JSON: a comma is missing here.',
  importJsonColon: 'This is not valid JSON: a colon is missing here.',
  importJsonName: 'This is not valid JSON: a name in double quotes is expected here.',
  importJsonEnd: 'This is not valid JSON: nothing may follow here.',
  importReadLimit:
    'Reading this text takes more time or memory than an import may. Divide it into several, or bring it as CSV.',
  importTooMuch: 'This is too much to be imported in portions. Divide the text into several.',
  importMayNot: 'You may neither make nor change such objects.',
  importRead: 'The text is being read: {count} objects so far.',
  importChecked: '{done} of {total} looked at',
  importStop: 'Stop',
  importStopped: 'Stopped. Nothing was imported.',
  importStoppedAt:
    'Stopped: {done} of {total} had been imported. A portion that was under way may have been, too; the change log tells.',
  importLost: 'What was to be imported has not arrived whole. Please begin again with the text.',
  importRestFrom:
    '{done} of {total} were imported before this portion; of it and what follows, nothing. What is left begins in line {line} of your text; divide it there.',
} as const;
