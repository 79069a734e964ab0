#include <ZXing/ReadBarcode.h>
