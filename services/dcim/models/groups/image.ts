import { type Field, fails, text } from '@cadastre/model';

/** A picture: the address of its file, null without one. A file comes with a form; JSON can only take it away. */
export const image = (): Field => {
  const { parse: _, ...field } = text({ max: 100, optional: true, filter: false, metadataType: 'image upload' });
  return {
    ...field, kind: 'image', nullable: true,
    print: (cell) => (cell ? JSON.stringify(cell) : 'null'),
    parse: () => fails('The submitted data was not a file. Check the encoding type on the form.'),
    metadata: () => ({ type: 'image upload', required: false, read_only: false }),
  };
};
