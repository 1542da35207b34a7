/* Moving over JSON text without judging it. All functions move `at` forward and stay inside the text whatever it holds.
 */
#ifndef MN_SCENE_SCAN_H
#define MN_SCENE_SCAN_H

#include <stdbool.h>

typedef struct mnScan {
    const char *at, *end;
} mnScan;

void mn_scan_space(mnScan *scan);
/* From the quote that opens it to behind the one that closes it. */
void mn_scan_string(mnScan *scan);
/* To behind the value, or to the mark that ends it. */
void mn_scan_value(mnScan *scan);
/* Behind one mark such as a comma, spaces before it aside; stays there and says false if something else comes. */
bool mn_scan_mark(mnScan *scan, char wanted);
/* Behind a string, a mark or a word: whatever has neither spaces nor marks nor quotes in it. Not at the end. */
void mn_scan_token(mnScan *scan);

#endif
