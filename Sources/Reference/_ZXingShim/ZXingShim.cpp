#include "ZXingShim.h"

#define ZX_USE_UTF8
#include <ZXing/ReadBarcode.h>
#if __has_include(<ZXing/Version.h>)
#include <ZXing/Version.h>
#else
#include <ZXing/ZXVersion.h>
#endif

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

// Debian 12 has ZXing 1.4, Debian 13 has 2.3, and Homebrew has 3. Names changed with 2.2, and formats have
// variants since 3.
#define ZXING_IS_AT_LEAST(major, minor) \
  (ZXING_VERSION_MAJOR > (major) || (ZXING_VERSION_MAJOR == (major) && ZXING_VERSION_MINOR >= (minor)))

namespace {

using ZXing::BarcodeFormat;
#if ZXING_IS_AT_LEAST(2, 2)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif
using Results =
  decltype(ZXing::ReadBarcodes(std::declval<const ZXing::ImageView &>(), std::declval<const Options &>()));
using Result = Results::value_type;

struct Format {
  uint32_t kind;
  BarcodeFormat format;
};

constexpr Format formats[] = {
  {TALLY_ZXING_AZTEC, BarcodeFormat::Aztec},
  {TALLY_ZXING_CODABAR, BarcodeFormat::Codabar},
#if ZXING_IS_AT_LEAST(3, 0)
  // Without the pairs of characters that the extended mode reads as one.
  {TALLY_ZXING_CODE39, BarcodeFormat::Code39Std},
#else
  {TALLY_ZXING_CODE39, BarcodeFormat::Code39},
#endif
  {TALLY_ZXING_CODE93, BarcodeFormat::Code93},
  {TALLY_ZXING_CODE128, BarcodeFormat::Code128},
#if ZXING_IS_AT_LEAST(3, 0)
  {TALLY_ZXING_DATABAR, BarcodeFormat::DataBarOmni},
  {TALLY_ZXING_DATABAR, BarcodeFormat::DataBarStk},
  {TALLY_ZXING_DATABAR, BarcodeFormat::DataBarStkOmni},
  {TALLY_ZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExp},
  {TALLY_ZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExpStk},
#else
  {TALLY_ZXING_DATABAR, BarcodeFormat::DataBar},
  {TALLY_ZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExpanded},
#endif
  {TALLY_ZXING_DATA_MATRIX, BarcodeFormat::DataMatrix},
  {TALLY_ZXING_EAN8, BarcodeFormat::EAN8},
  {TALLY_ZXING_EAN13, BarcodeFormat::EAN13},
  {TALLY_ZXING_ITF, BarcodeFormat::ITF},
  {TALLY_ZXING_MAXICODE, BarcodeFormat::MaxiCode},
  {TALLY_ZXING_PDF417, BarcodeFormat::PDF417},
#if ZXING_IS_AT_LEAST(3, 0)
  // Without micro codes.
  {TALLY_ZXING_QR, BarcodeFormat::QRCodeModel1},
  {TALLY_ZXING_QR, BarcodeFormat::QRCodeModel2},
#else
  {TALLY_ZXING_QR, BarcodeFormat::QRCode},
#endif
  {TALLY_ZXING_UPCA, BarcodeFormat::UPCA},
  {TALLY_ZXING_UPCE, BarcodeFormat::UPCE},
};

struct Code {
  uint32_t kind = 0;
  bool isRead = false;
  int lines = 0;
  bool isMirrored = false;
  int32_t corners[8] = {};
  std::vector<uint8_t> bytes;
  std::string text;
};

uint32_t kindOf(BarcodeFormat format) {
  for (const auto &pair : formats)
    if (pair.format == format) return pair.kind;
#if ZXING_IS_AT_LEAST(3, 0)
  // A variant of a format that was asked for as a whole, for example a rune of Aztec.
  for (const auto &pair : formats)
    if (pair.format == ZXing::Symbology(format)) return pair.kind;
#endif
  return 0;
}

ZXing::BarcodeFormats setOf(std::vector<BarcodeFormat> &&list) {
#if ZXING_IS_AT_LEAST(3, 0)
  return ZXing::BarcodeFormats(std::move(list));
#else
  ZXing::BarcodeFormats set;
  for (const auto format : list) set |= format;
  return set;
#endif
}

Code codeOf(const Result &result) {
  Code code;
  code.kind = kindOf(result.format());
  code.isRead = result.isValid();
  const auto &position = result.position();
  for (int corner = 0; corner < 4; ++corner) {
    code.corners[2 * corner] = position[corner].x;
    code.corners[2 * corner + 1] = position[corner].y;
  }
  if (code.isRead) {
    code.lines = result.lineCount();
    code.isMirrored = result.isMirrored();
    code.bytes.assign(result.bytes().begin(), result.bytes().end());
    code.text = result.text();
#if ZXING_IS_AT_LEAST(2, 0)
    // Application identifiers stand in brackets, as ZXing 1.4 writes them for this format alone.
    if (code.kind == TALLY_ZXING_DATABAR_EXPANDED) code.text = result.text(ZXing::TextMode::HRI);
#endif
  }
  return code;
}

// ZXing counts rows and pixels in `int`.
bool isPicture(const uint8_t *pixels, size_t size, int32_t width, int32_t height, size_t stride) {
  constexpr auto most = static_cast<uint64_t>(std::numeric_limits<int>::max());
  if (!pixels || width < 1 || height < 1 || stride < static_cast<size_t>(width) || stride > most)
    return false;
  const auto rows = static_cast<uint64_t>(height);
  return stride <= most / rows && (rows - 1) * stride + static_cast<uint64_t>(width) <= size;
}

// Where a failed assertion goes on, if this thread is inside ZXing.
thread_local jmp_buf *escape = nullptr;

// Reads, and says whether ZXing came to its end. What it had allocated where it did not is lost.
bool read(const ZXing::ImageView &view, const Options &wishes, Results *results) {
  jmp_buf place;
  if (_setjmp(place) != 0) {
    escape = nullptr;
    return false;
  }
  escape = &place;
  try {
    *results = ZXing::ReadBarcodes(view, wishes);
  } catch (...) {
    escape = nullptr;
    throw;
  }
  escape = nullptr;
  return true;
}

}  // namespace

#if defined(__linux__)
// Debian builds ZXing with its assertions, and there are pictures that fail them: as the C library has it, such
// a picture would end the whole process. So this function stands before the C library's own. Inside ZXing it
// leaves by the way that was kept open; everywhere else it does what the C library's does.
extern "C" void __assert_fail(
  const char *assertion, const char *file, unsigned int line, const char *function) noexcept {
  if (escape) longjmp(*escape, 1);
  std::fprintf(
    stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", assertion);
  std::abort();
}
#endif

struct tally_zxing_codes {
  std::vector<Code> codes;
};

int tally_zxing_read(const uint8_t *pixels, size_t size, int32_t width, int32_t height, size_t stride,
                     const tally_zxing_options *options, tally_zxing_codes **codes) {
  if (!options || !codes || !isPicture(pixels, size, width, height, stride))
    return TALLY_ZXING_BAD_PICTURE;
  try {
    std::vector<BarcodeFormat> wanted;
    for (const auto &pair : formats)
      if (options->kinds & pair.kind) wanted.push_back(pair.format);
    tally_zxing_codes found;
    // An empty set would mean every kind.
    if (!wanted.empty()) {
      const auto wishes =
        Options()
          .setFormats(setOf(std::move(wanted)))
          .setBinarizer(
            options->binarizer == TALLY_ZXING_GLOBAL_HISTOGRAM ? ZXing::Binarizer::GlobalHistogram
                                                               : ZXing::Binarizer::LocalAverage)
          .setTryHarder(options->thorough)
          .setTryRotate(options->thorough)
          // Codes of bars that are found at two sizes fail an assertion when they are compared (Result.cpp), and the
          // scanner looks at several sizes itself.
          .setTryDownscale(false)
          .setEanAddOnSymbol(ZXing::EanAddOnSymbol::Read)
#if ZXING_IS_AT_LEAST(2, 0)
          .setTextMode(ZXing::TextMode::Plain)
          // The scanner turns light codes on dark itself.
          .setTryInvert(false)
#endif
#if !ZXING_IS_AT_LEAST(2, 2)
          .setReturnCodabarStartEnd(true)
#endif
          .setMaxNumberOfSymbols(options->single ? 1 : 0xff)
          .setReturnErrors(options->unread);
      const ZXing::ImageView view(
        pixels, width, height, ZXing::ImageFormat::Lum, static_cast<int>(stride));
      Results results;
      if (!read(view, wishes, &results)) return TALLY_ZXING_FAILED;
      for (const auto &result : results) {
        if (kindOf(result.format()) == 0 || !(result.isValid() || options->unread)) continue;
        found.codes.push_back(codeOf(result));
      }
    }
    *codes = new tally_zxing_codes(std::move(found));
    return TALLY_ZXING_OK;
  } catch (const std::bad_alloc &) {
    return TALLY_ZXING_OUT_OF_MEMORY;
  } catch (...) {
    return TALLY_ZXING_FAILED;
  }
}

size_t tally_zxing_count(const tally_zxing_codes *codes) { return codes ? codes->codes.size() : 0; }

tally_zxing_code tally_zxing_at(const tally_zxing_codes *codes, size_t index) {
  tally_zxing_code result = {};
  if (!codes || index >= codes->codes.size()) return result;
  const Code &code = codes->codes[index];
  result.kind = code.kind;
  result.is_read = code.isRead;
  result.lines = code.lines;
  result.is_mirrored = code.isMirrored;
  for (int place = 0; place < 8; ++place) result.corners[place] = code.corners[place];
  result.bytes = code.bytes.data();
  result.byte_count = code.bytes.size();
  result.text = reinterpret_cast<const uint8_t *>(code.text.data());
  result.text_count = code.text.size();
  return result;
}

void tally_zxing_release(tally_zxing_codes *codes) { delete codes; }
