#!/bin/sh
# Runs Chromium ($CHROMIUM) without the capability to raise its own priority. browser.ts says why.
exec setpriv --bounding-set=-sys_nice "$CHROMIUM" "$@"
