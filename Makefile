# Builds the command and installs it for all, or for one person: make install PREFIX=$HOME/.local
#
# On Linux, Swift's own libraries are linked into it, so that it runs where Swift is not installed; macOS has them. The
# libraries of the README's install line have to be there. SWIFTFLAGS are further options for `swift build`.
PREFIX ?= /usr/local
DESTDIR ?=
SCRATCH ?= .build/install
SWIFTFLAGS ?=
ifeq ($(shell uname -s),Linux)
override SWIFTFLAGS += --static-swift-stdlib
endif

bin := $(DESTDIR)$(PREFIX)/bin
lib := $(DESTDIR)$(PREFIX)/lib/tally
man := $(DESTDIR)$(PREFIX)/share/man/man1
bash := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
# Debian's zsh looks elsewhere for what packages bring.
ZSHDIR ?= share/zsh/site-functions
zsh := $(DESTDIR)$(PREFIX)/$(ZSHDIR)
fish := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
built := $(SCRATCH)/release

.PHONY: build install uninstall

build:
	swift build -c release $(SWIFTFLAGS) --scratch-path $(SCRATCH) --product tally

# The models lie beside the program, which finds its own place through the link.
install: build
	install -d '$(bin)' '$(lib)' '$(man)' '$(bash)' '$(zsh)' '$(fish)'
	install -s -m 755 '$(built)/tally' '$(lib)/tally'
	rm -rf '$(lib)'/Tally_ReferenceModels.*
	cp -R '$(built)'/Tally_ReferenceModels.* '$(lib)/'
	ln -sfn ../lib/tally/tally '$(bin)/tally'
	'$(lib)/tally' manual '$(man)'
	'$(lib)/tally' completion bash > '$(bash)/tally'
	# zsh runs the file as a function when the first completion is asked for.
	(echo '#compdef tally'; '$(lib)/tally' completion zsh; echo '_bash_complete -F _tally') > '$(zsh)/_tally'
	'$(lib)/tally' completion fish > '$(fish)/tally.fish'

uninstall:
	rm -rf '$(lib)'
	rm -f '$(bin)/tally' '$(man)'/tally.1 '$(man)'/tally-*.1 '$(bash)/tally' '$(zsh)/_tally' '$(fish)/tally.fish'
