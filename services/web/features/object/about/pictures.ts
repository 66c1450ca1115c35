import type { Shown } from '../../../context/pageRequest.ts';

export interface Picture extends Shown {
  name: string;
  image: string;
  description: string;
  image_height: number;
  image_width: number;
}

/** A picture; its file is loaded from the same host as the page, whatever host the API names. */
export const pictureOf = ({ id, display, image, description, image_width, image_height }: Picture) => ({
  id,
  text: display,
  description,
  src: pathOf(image),
  width: image_width,
  height: image_height,
});

const pathOf = (address: string): string => {
  const url = URL.parse(address, 'http://local');
  return url ? url.pathname + url.search : '';
};
