"""Migrations: bring the memory that older programs left to where facts live now.

Two, in this order: stores keyed by a directory are copied into the one keyed by the repository,
then a flat `MEMORY.md` becomes a fact. Old stores are never changed (a flat file of the workspace
itself is renamed once its fact is safe), nothing is overwritten, and a failure is part of the
report: the next start tries again.
"""

from __future__ import annotations

import os

from holdfact.core.errors import HoldfactError
from holdfact.facts.migrations.report import NOTHING, Copied, MigrationReport, StoreEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfact.facts.migrations.places import Places, Workspace

__all__ = ["Copied", "MigrationReport", "StoreEntry", "migrate", "migrate_v1_if_needed", "plan"]


def migrate(workspace: Workspace) -> MigrationReport:
    """Bring the project scope of a workspace up to date. Never raises for what it finds.

    Where there never was an old store this costs one stat; where everything is done, one small
    file and a few stats.
    """
    return _run(workspace, _migrate)


def migrate_v1_if_needed(workspace: Workspace) -> MigrationReport:
    """Turn the workspace's own flat `MEMORY.md` into a fact. Never raises for what it finds."""
    return _run(workspace, _migrate_v1)


def plan(workspace: Workspace) -> MigrationReport:
    """What `migrate` would do, told without writing, creating or locking anything."""
    return _run(workspace, _plan)


def _run(workspace: Workspace, step: Callable[[Places], MigrationReport]) -> MigrationReport:
    from holdfact.facts.migrations.places import places_of, projects_folder

    if not os.path.isdir(projects_folder(workspace.config_dir)):
        return NOTHING
    try:
        places = places_of(workspace)
        report = step(places)
    except (HoldfactError, OSError) as err:
        return MigrationReport(error=_failure(err))
    if report.copied and workspace.project_dir != places.memory:
        note = f"the migrated facts are in {places.memory}, this project's in its own folder"
        report = report._replace(notes=(*report.notes, note))
    return report


def _migrate(places: Places) -> MigrationReport:
    from holdfact.facts.migrations.path_keyed import copy_stores

    stores = copy_stores(places)
    try:
        return _joined(stores, _migrate_v1(places))
    except (HoldfactError, OSError) as err:
        return stores._replace(error=_failure(err))


def _migrate_v1(places: Places) -> MigrationReport:
    from holdfact.facts.migrations.v1 import retire_flat

    return retire_flat(places)


def _plan(places: Places) -> MigrationReport:
    from holdfact.facts.migrations.path_keyed import plan_stores
    from holdfact.facts.migrations.v1 import plan_flat

    stores, flat = plan_stores(places), plan_flat(places)
    known = {*stores.skipped, *(one.source for one in stores.copied)}
    if known.intersection((*flat.skipped, *(one.source for one in flat.copied))):
        return stores  # the first step takes the flat file along
    return _joined(stores, flat)


def _failure(err: Exception) -> str:
    return f"{err}; nothing is lost, the next start tries again"


def _joined(first: MigrationReport, second: MigrationReport) -> MigrationReport:
    return first._replace(
        copied=first.copied + second.copied,
        skipped=tuple(dict.fromkeys((*first.skipped, *second.skipped))),
        renamed=first.renamed + second.renamed,
    )
