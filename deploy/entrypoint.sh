#!/bin/sh
# One image, three uses: `meshprobe ...` is the CLI, `meshprobe-agent ...` the agent, and anything
# else is arguments of the agent, `responder` among them.
case "${1:-}" in
  meshprobe | meshprobe-agent) exec "$@" ;;
  *) exec meshprobe-agent "$@" ;;
esac
