// Options of `molgauge pocket`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using B = PocketBuildRequest;
using L = PocketSizeLimits;

constexpr NumericRange kDistance = above(0, 100);
constexpr NumericRange kCount = whole(1, 1'000'000'000);

constexpr std::array kBuild = {
    Option{
        .name = "INPUT",
        .field = field<B, &B::input>,
        .help =
            "A file, or a folder of files of one kind: AMBER topologies (.prmtop, .parm7) with coordinates "
            "(.inpcrd, .rst7, .pdb), structures (.cif, .pdb), or graphs of the Python project (.pt)",
        .is_required = true,
        .files = {.does = FileUse::Does::reads,
                  .with = {".inpcrd", ".rst7", ".pdb", "rna.inpcrd", "node_feature_norm_params.npz"}}},
    Option{.name = "out",
           .field = field<B, &B::out>,
           .group = Group::output,
           .help = "Folder of the graph set. An interrupted build is resumed",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes, .folder = FolderKind::graph_set}},
    Option{.name = "from",
           .field = field<B, &B::from>,
           .group = Group::input,
           .help = "Kind of input: amber, structures or graphs [from the file names]",
           .is_common = true},
    Option{.name = "distance-cutoff",
           .field = field<B, &B::distance_cutoff>,
           .group = Group::graphs,
           .help = "Maximum distance of the two atoms of a non-bonded pair",
           .is_common = true,
           .range = kDistance,
           .unit = "Angstrom",
           .conditions = {{{.option = "from",
                            .values = {"graphs"},
                            .is_wanted = false,
                            .remark = "graphs of the Python project bring their pairs along"}}}},
    Option{.name = "ligand",
           .field = field<B, &B::ligand>,
           .group = Group::input,
           .help = "Structures: residue name of the ligand, for example ARG",
           .is_common = true,
           .excludes = {"hariboss-csv"}},
    Option{.name = "hariboss-csv",
           .field = field<B, &B::hariboss_csv>,
           .group = Group::input,
           .help = "Structures: table of complexes with PDB codes and ligands (Complexes.csv of HARIBOSS)",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "pocket-cutoff",
           .field = field<B, &B::pocket_cutoff>,
           .group = Group::graphs,
           .help = "Structures: maximum distance from the ligand to the nearest atom of a pocket residue",
           .is_common = true,
           .range = kDistance,
           .unit = "Angstrom"},
    Option{.name = "force-field",
           .field = field<B, &B::force_field>,
           .group = Group::graphs,
           .help = "Structures: file with residues or parameters of RNA, from OpenMM (.xml) or AMBER (.lib, "
                   ".dat, frcmod). Repeat it for several files, in the order of tleap",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "max-complexes",
           .field = field<B, &B::max_complexes>,
           .group = Group::limits,
           .help = "Maximum rows to read from the table of complexes",
           .range = kCount,
           .needs = {"hariboss-csv"}},
    Option{.name = "normalization",
           .field = field<B, &B::normalization>,
           .group = Group::graphs,
           .help = "Graphs: node_feature_norm_params.npz of the Python project, to undo its normalisation "
                   "[the file of this name in or next to the folder]",
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "reference-compatible",
           .field = field<B, &B::reference_compatible>,
           .group = Group::graphs,
           .help = "Write dihedral phases as in the Python project (degrees / (2 * 3.14159)), for its "
                   "trained encoders",
           .is_common = true},
    Option{.name = "percentile",
           .field = field<B, &B::limits, &L::percentile>,
           .group = Group::graphs,
           .help = "Leave out graphs above this percentile of the set in both atoms and bonds",
           .is_common = true,
           .range = above(0, 100)},
    Option{.name = "max-atoms",
           .field = field<B, &B::limits, &L::max_atoms>,
           .group = Group::limits,
           .help = "Leave out graphs with more atoms",
           .is_common = true,
           .range = kCount,
           .unit = "atoms"},
    Option{.name = "max-bonds",
           .field = field<B, &B::limits, &L::max_bonds>,
           .group = Group::limits,
           .help = "Leave out graphs with more bonds, each counted in both directions",
           .range = kCount},
    Option{.name = "max-pairs",
           .field = field<B, &B::limits, &L::max_pairs>,
           .group = Group::limits,
           .help = "Leave out graphs with more non-bonded pairs, each counted in both directions",
           .range = kCount},
    Option{.name = "max-graph-bytes",
           .field = field<B, &B::limits, &L::max_graph_bytes>,
           .group = Group::limits,
           .help = "Leave out graphs that need more memory, for example 20MiB",
           .is_common = true,
           .range = whole(1, std::uint64_t{1} << 40),
           .unit = kBytes},
    conservative_row<B, &B::conservative>({"threads"}),
    threads_row<B, &B::threads>()};

}  // namespace

template <>
std::span<const Option> table<PocketBuildRequest>() {
  return kBuild;
}

}  // namespace molgauge::options
