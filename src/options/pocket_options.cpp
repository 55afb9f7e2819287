// `headroom pocket`.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using B = PocketBuildRequest;
using L = PocketSizeLimits;

constexpr NumericRange kDistance = above(0, 100);
constexpr NumericRange kCount = whole(1, 1'000'000'000);

constexpr std::array kBuild = {
    Option{.name = "INPUT",
           .field = field<B, &B::input>,
           .help =
               "A file, or a folder of files of one kind: AMBER topologies (.prmtop, .parm7) with their "
               "coordinates (.inpcrd, .rst7, .pdb), structures (.cif, .pdb), or the Python project's graphs "
               "(.pt)",
           .is_required = true,
           .files = {.does = FileUse::Does::reads,
                     .with = {".inpcrd", ".rst7", ".pdb", "rna.inpcrd", "node_feature_norm_params.npz"}}},
    Option{.name = "out",
           .field = field<B, &B::out>,
           .help = "Folder of the graph set; a build that was interrupted goes on in it",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes, .folder = FolderKind::graph_set}},
    Option{.name = "from",
           .field = field<B, &B::from>,
           .help = "Kind of the input: amber, structures or graphs [by the names of the files]",
           .is_common = true},
    Option{.name = "distance-cutoff",
           .field = field<B, &B::distance_cutoff>,
           .help = "Most distance of two atoms that are a non-bonded pair",
           .is_common = true,
           .range = kDistance,
           .unit = "Angstrom",
           .conditions = {{{.option = "from",
                            .values = {"graphs"},
                            .is_wanted = false,
                            .remark = "graphs of the Python project bring their pairs along"}}}},
    Option{.name = "ligand",
           .field = field<B, &B::ligand>,
           .help = "Structures: name of the ligand's residue, as ARG",
           .is_common = true,
           .excludes = {"hariboss-csv"}},
    Option{
        .name = "hariboss-csv",
        .field = field<B, &B::hariboss_csv>,
        .help = "Structures: table of complexes with their PDB codes and ligands (HARIBOSS's Complexes.csv)",
        .is_common = true,
        .files = {.does = FileUse::Does::reads}},
    Option{.name = "pocket-cutoff",
           .field = field<B, &B::pocket_cutoff>,
           .help = "Structures: a residue with an atom this near to the ligand belongs to the pocket",
           .is_common = true,
           .range = kDistance,
           .unit = "Angstrom"},
    Option{.name = "force-field",
           .field = field<B, &B::force_field>,
           .help =
               "Structures: a file with residues or parameters of RNA, OpenMM's (.xml) or AMBER's own (.lib, "
               ".dat, frcmod); several times for several files, in tleap's order",
           .is_common = true,
           .files = {.does = FileUse::Does::reads}},
    Option{.name = "max-complexes",
           .field = field<B, &B::max_complexes>,
           .help = "Read so many rows of the table of complexes",
           .range = kCount,
           .needs = {"hariboss-csv"}},
    Option{
        .name = "normalization",
        .field = field<B, &B::normalization>,
        .help =
            "Graphs: the Python project's node_feature_norm_params.npz, to undo its normalisation [the file "
            "of this name in the folder or beside it]",
        .files = {.does = FileUse::Does::reads}},
    Option{.name = "reference-compatible",
           .field = field<B, &B::reference_compatible>,
           .help =
               "Write phases of dihedrals as the Python project does (degrees / (2 * 3.14159)), for encoders "
               "that it has trained",
           .is_common = true},
    Option{.name = "percentile",
           .field = field<B, &B::limits, &L::percentile>,
           .help = "Leave out graphs above this percentile of the set in both atoms and bonds",
           .is_common = true,
           .range = above(0, 100)},
    Option{.name = "max-atoms",
           .field = field<B, &B::limits, &L::max_atoms>,
           .help = "Leave out graphs with more atoms",
           .is_common = true,
           .range = kCount,
           .unit = "atoms"},
    Option{.name = "max-bonds",
           .field = field<B, &B::limits, &L::max_bonds>,
           .help = "Leave out graphs with more bonds, each counted in both directions",
           .range = kCount},
    Option{.name = "max-pairs",
           .field = field<B, &B::limits, &L::max_pairs>,
           .help = "Leave out graphs with more non-bonded pairs, each counted in both directions",
           .range = kCount},
    Option{.name = "max-graph-bytes",
           .field = field<B, &B::limits, &L::max_graph_bytes>,
           .help = "Leave out graphs that take more memory, as 20MiB",
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

}  // namespace headroom::options
