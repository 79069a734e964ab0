# Builds the command and installs it for all, or for one person: make install PREFIX=$HOME/.local
#
# Swift's own libraries are linked into it, so that it runs where Swift is not installed. The libraries of the README's
# install line have to be there.
PREFIX ?= /usr/local
DESTDIR ?=
SCRATCH ?= .build/install

bin := $(DESTDIR)$(PREFIX)/bin
lib := $(DESTDIR)$(PREFIX)/lib/tally
man := $(DESTDIR)$(PREFIX)/share/man/man1
bash := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
fish := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
built := $(SCRATCH)/release

.PHONY: build install uninstall

build:
	swift build -c release --static-swift-stdlib --scratch-path $(SCRATCH) --product tally

# The models lie beside the program, which finds its own place through the link.
install: build
	install -d '$(bin)' '$(lib)' '$(man)' '$(bash)' '$(fish)'
	install -s -m 755 '$(built)/tally' '$(lib)/tally'
	rm -rf '$(lib)/Tally_ReferenceModels.resources'
	cp -R '$(built)/Tally_ReferenceModels.resources' '$(lib)/'
	ln -sfn ../lib/tally/tally '$(bin)/tally'
	'$(lib)/tally' manual '$(man)'
	'$(lib)/tally' completion bash > '$(bash)/tally'
	'$(lib)/tally' completion fish > '$(fish)/tally.fish'

uninstall:
	rm -rf '$(lib)'
	rm -f '$(bin)/tally' '$(man)'/tally.1 '$(man)'/tally-*.1 '$(bash)/tally' '$(fish)/tally.fish'
