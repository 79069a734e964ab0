# A formula for Homebrew. To use it, copy it into a tap and set the address and the checksum of a release.
# No Mac has built it; `ruby -c` and the commands of `make install` on Linux are all that was run.
class Tally < Formula
  desc "Count similar objects in photos, find book spines, read barcodes and text"
  homepage "https://github.com/example/tally"
  url "https://github.com/example/tally/archive/refs/tags/0.9.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["16.0", :build]

  depends_on "cairo"
  depends_on "curl"
  depends_on "jpeg-turbo"
  depends_on "libexif"
  depends_on "libheif"
  depends_on "libmicrohttpd"
  depends_on "libpng"
  depends_on "libtiff"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "webp"
  depends_on "zbar"
  depends_on "zxing-cpp"

  on_linux do
    depends_on "swift" => :build
    depends_on "openblas"
  end

  def install
    # Homebrew's own sandbox is around the build, and SwiftPM's would not start in it.
    system "make", "install", "PREFIX=#{prefix}", "SWIFTFLAGS=--disable-sandbox"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tally --version")
    system bin/"tally", "doctor"
  end
end
