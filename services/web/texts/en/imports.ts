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
} as const;
