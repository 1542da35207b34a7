#include "render/lettering.h"

#include <stdbool.h>
#include <string.h>

/* Letters are strokes on a grid 4 wide, with capitals from row 0 down to the line on row 6 and tails to row 8. Each
 * stroke is its corners as pairs of digits, column and row; strokes are separated by spaces. */
static const struct {
    char letter[3];
    const char *strokes;
} letters[] = {
    {"0", "103041453616050110"},
    {"1", "112026 1636"},
    {"2", "01103041420646"},
    {"3", "01103041423313 334445361605"},
    {"4", "36300444"},
    {"5", "400002324345361605"},
    {"6", "413010010516364544331304"},
    {"7", "004016"},
    {"8", "10304142331304051636454433 13020110"},
    {"9", "051636454130100102133342"},
    {".", "2626"},
    {",", "2617"},
    {":", "2323 2626"},
    {"-", "0343"},
    {"+", "0343 2125"},
    {"/", "0740"},
    {"=", "0242 0444"},
    {"(", "30212536"},
    {")", "10212516"},
    {"_", "0747"},
    {"a", "4246 4332120305163645"},
    {"b", "0006 0312324345361605"},
    {"c", "4332120305163645"},
    {"d", "4046 4332120305163645"},
    {"e", "04444332120305163645"},
    {"f", "40302126 0232"},
    {"g", "4247381807 4332120305163645"},
    {"h", "0006 0312324346"},
    {"i", "2226 2020"},
    {"j", "222718 2020"},
    {"k", "0006 4205 2446"},
    {"l", "2026"},
    {"m", "0206 03122326 23324346"},
    {"n", "0206 0312324346"},
    {"o", "123243453616050312"},
    {"p", "0208 0312324345361605"},
    {"q", "4248 4332120305163645"},
    {"r", "0206 04133242"},
    {"s", "43321203143445361605"},
    {"t", "202536 0242"},
    {"u", "0205163645 4246"},
    {"v", "022642"},
    {"w", "0216233642"},
    {"x", "0246 4206"},
    {"y", "0226 4218"},
    {"z", "02420646"},
    {"G", "413010010516364543 4323"},
    {"M", "0600234046"},
    {"P", "06003041423303"},
    {"µ", "0208 05163645 4246"},
};

enum { ADVANCE = 6, HEIGHT = 6 };

/* Letters are a little narrower than their grid. */
static const float narrow = 0.86F;

static const char *const box = "0040460600";

/* Length in bytes of the character at `text`, at least 1. */
static size_t character(const char *text) {
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80) length++;
    return length;
}

static const char *strokes_of(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strlen(letters[i].letter) == length && memcmp(letters[i].letter, text, length) == 0)
            return letters[i].strokes;
    if (length == 1 && *text == ' ') return "";
    char small[2] = {(char)(*text + 'a' - 'A'), '\0'};
    return length == 1 && *text >= 'A' && *text <= 'Z' ? strokes_of(small, 1) : box;
}

/* A line with round ends; pixels that it covers in part are blended. */
static void draw_line(mnPicture *picture, float ax, float ay, float bx, float by, float radius, mnV3 colour) {
    float dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
    int left = (int)floorf(fminf(ax, bx) - radius - 1), right = (int)ceilf(fmaxf(ax, bx) + radius + 1);
    int top = (int)floorf(fminf(ay, by) - radius - 1), bottom = (int)ceilf(fmaxf(ay, by) + radius + 1);
    for (int y = top > 0 ? top : 0; y <= bottom && y < picture->height; y++)
        for (int x = left > 0 ? left : 0; x <= right && x < picture->width; x++) {
            float px = (float)x + 0.5F - ax, py = (float)y + 0.5F - ay;
            float t = squared > 0 ? fminf(fmaxf((px * dx + py * dy) / squared, 0), 1) : 0;
            float cover = radius + 0.5F - hypotf(px - t * dx, py - t * dy);
            mnV3 *pixel = &picture->pixel[(size_t)y * (size_t)picture->width + (size_t)x];
            if (cover > 0) *pixel = v3_mix(*pixel, colour, fminf(cover, 1));
        }
}

static void draw_letter(mnPicture *picture, float x, float y, float unit, mnV3 colour, const char *strokes) {
    float radius = 0.45F * unit, last_x = 0, last_y = 0;
    for (bool begins = true; *strokes;) {
        if (*strokes == ' ') {
            begins = true;
            strokes++;
            continue;
        }
        float to_x = x + narrow * unit * (float)(strokes[0] - '0'),
              to_y = y + unit * (float)(strokes[1] - '0' - HEIGHT);
        if (!begins) draw_line(picture, last_x, last_y, to_x, to_y, radius, colour);
        last_x = to_x;
        last_y = to_y;
        begins = false;
        strokes += 2;
    }
}

float mn_letters_width(const char *text, float size) {
    int count = 0;
    for (; *text; text += character(text)) count++;
    return count ? narrow * size / HEIGHT * (float)(ADVANCE * count - 2) : 0;
}

void mn_letters_draw(mnPicture *picture, float x, float y, float size, mnV3 colour, const char *text) {
    float unit = size / HEIGHT;
    for (; *text; text += character(text), x += ADVANCE * narrow * unit)
        draw_letter(picture, x, y, unit, colour, strokes_of(text, character(text)));
}
