# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs of many copies of ops, one per case and variant.
from dataclasses import dataclass

from rule_variants import describe


@dataclass
class Copy:
    """A case on one variant of layouts; its inputs are `NUMBER.NAME`."""
    case: object
    variant: dict
    number: int = 0

    def __str__(self):
        return "%s [%s]" % (self.case.name, describe(self.variant))


def annotation(layout):
    if layout is None:
        return None
    return "dtensor.layout = #dtensor.layout<@mesh, [%s]>" % ", ".join(layout)


def program(copies, mesh, devices=""):
    """One function with all copies; comments say which result is whose."""
    arguments, results, types, returned, body = [], [], [], [], []
    for copy in copies:
        prefix = "v%d_" % copy.number
        for name, type in copy.case.inputs.items():
            attributes = ['dtensor.name = "%d.%s"' % (copy.number, name)]
            layout = annotation(copy.variant[name])
            if layout:
                attributes.append(layout)
            arguments.append("%%%s%s: %s {%s}" % (prefix, name, type, ", ".join(attributes)))
        first = len(returned)
        for name, type in copy.case.results.items():
            layout = annotation(copy.variant[name])
            results.append("%s {%s}" % (type, layout) if layout else str(type))
            types.append(str(type))
            returned.append("%" + prefix + name)
        body.append("  // result%d: %s" % (first, copy))
        body += ["  " + line.strip() for line in copy.case.text(prefix).strip().splitlines()]
    axes = ", ".join('"%s" = %d' % axis for axis in mesh)
    helpers = "\n".join(sorted({copy.case.helpers for copy in copies if copy.case.helpers}))
    order = " devices = [%s]" % devices if devices else ""
    return ("dtensor.mesh @mesh [%s]%s\n%s\nfunc.func @main(\n    %s)\n    -> (%s) {\n%s\n  return %s : %s\n}\n"
            % (axes, order, helpers, ",\n    ".join(arguments), ",\n        ".join(results), "\n".join(body),
               ", ".join(returned), ", ".join(types)))


def numbered(copies):
    for number, copy in enumerate(copies):
        copy.number = number
    return copies
