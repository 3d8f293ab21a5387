/** The only place where text becomes HTML: nothing passes that could run, load from elsewhere, or pose as the page. */
import DOMPurify from 'dompurify';

const LINK = /^(?:https?:|mailto:)/i;

const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'style',
    'form',
    'button',
    'select',
    'option',
    'textarea',
    'video',
    'audio',
    'source',
    'picture',
    'dialog',
  ],
  FORBID_ATTR: [
    'style',
    'id',
    'name',
    'srcset',
    'popover',
    'popovertarget',
    'autofocus',
    'tabindex',
    'contenteditable',
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: LINK,
  // Not addresses: the pattern above would take their values for bad ones.
  ADD_URI_SAFE_ATTR: ['type', 'start', 'align', 'colspan', 'rowspan', 'width', 'height'],
};

// Once, because reading the options costs more than cleaning a paragraph.
DOMPurify.setConfig(OPTIONS);

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  // A picture from elsewhere tells its server who reads what.
  if (node.tagName === 'IMG' && !/^data:image\//i.test(node.getAttribute('src') ?? '')) node.removeAttribute('src');
  if (node.tagName === 'INPUT') {
    if (node.getAttribute('type') !== 'checkbox') node.remove();
    else {
      node.setAttribute('disabled', '');
      node.setAttribute('aria-label', node.hasAttribute('checked') ? 'done' : 'to do');
    }
  }
});

export function SafeHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const content = { dangerouslySetInnerHTML: { __html: DOMPurify.sanitize(html) } };
  return inline ? <code {...content} /> : <div {...content} />;
}
