"""Writes Fixtures/Goldens/Clustering/scipy_suite.json: the cases of SciPy's own tests of hierarchies.

Inputs and expected numbers are read from the installed scipy/cluster/tests: hierarchy_test_data.py as
a module, and the numbers that stand in the tests of test_hierarchy.py off its syntax tree. Where a
test compares with what another function of SciPy answers, that answer is stored.

SciPy's tests are of its authors (Damian Eads, 2008, and others), under the 3-clause BSD license.
SciPy 1.17.1 is expected; another version may have other tests, and the script then stops.

Run from the top of the checkout: python Fixtures/generate/scipy_suite.py
"""

import ast
import inspect
import pathlib

import numpy as np
from common.seeded import write
from dendrograms import layout
from scipy.cluster import hierarchy
from scipy.cluster.tests import hierarchy_test_data as data
from scipy.spatial.distance import pdist

SOURCE = pathlib.Path(inspect.getfile(data)).with_name("test_hierarchy.py").read_text()
TREES = ["single", "complete", "ward", "centroid", "median", "average", "weighted"]

# What becomes of each test: "golden" (here, compared in SciPySuiteTests.swift or, for weighted and
# Ward linkage, in WeightedAndWardTests.swift), "property" (random in SciPy, seeded in Swift),
# "differs" and "not" with the reason.
FATE = {
    "TestLinkage.test_linkage_non_finite_elements_in_distance_matrix": "golden",
    "TestLinkage.test_linkage_empty_distance_matrix": "differs: no distances are the tree of one thing or none",
    "TestLinkage.test_linkage_tdist": "golden",
    "TestLinkage.test_linkage_X": "golden; centroid and median, which are no linkages here, as trees handed in",
    "TestLinkage.test_compare_with_trivial": "golden; centroid and median are no linkages here",
    "TestLinkage.test_optimal_leaf_ordering": "golden",
    "TestLinkage.test_linkage_ties": "golden; centroid and median are no linkages here",
    "TestLinkage.test_unsupported_uncondensed_distance_matrix_linkage_warning": "not: a matrix of rows and distances are different types",
    "TestLinkage.test_euclidean_linkage_value_error": "not: there is no cityblock metric",
    "TestLinkage.test_2x2_linkage": "golden",
    "TestLinkage.test_centroid_neg_distance": "golden: refused as distances, whatever the linkage",
    "TestInconsistent.test_inconsistent_tdist": "golden",
    "TestCopheneticDistance.test_linkage_cophenet_tdist_Z": "golden",
    "TestCopheneticDistance.test_linkage_cophenet_tdist_Z_Y": "golden",
    "TestCopheneticDistance.test_gh_22183": "golden",
    "TestMLabLinkageConversion.test_mlab_linkage_conversion_empty": "not: MATLAB's form is not read",
    "TestMLabLinkageConversion.test_mlab_linkage_conversion_single_row": "not: MATLAB's form is not read",
    "TestMLabLinkageConversion.test_mlab_linkage_conversion_multiple_rows": "not: MATLAB's form is not read",
    "TestFclusterData.test_fclusterdata": "golden",
    "TestFcluster.test_fcluster": "golden",
    "TestFcluster.test_fcluster_monocrit": "golden",
    "TestFcluster.test_fcluster_maxclust_monocrit": "golden",
    "TestFcluster.test_fcluster_maxclust_gh_12651": "golden",
    "TestLeaders.test_leaders_single": "golden",
    "TestIsIsomorphic.test_array_like": "golden",
    "TestIsIsomorphic.test_is_isomorphic_1": "golden",
    "TestIsIsomorphic.test_is_isomorphic_2": "golden",
    "TestIsIsomorphic.test_is_isomorphic_3": "golden",
    "TestIsIsomorphic.test_is_isomorphic_4A": "golden",
    "TestIsIsomorphic.test_is_isomorphic_4B": "golden",
    "TestIsIsomorphic.test_is_isomorphic_4C": "golden",
    "TestIsIsomorphic.test_is_isomorphic_5": "property",
    "TestIsIsomorphic.test_is_isomorphic_6": "property",
    "TestIsIsomorphic.test_is_isomorphic_7": "golden",
    "TestIsValidLinkage.test_is_valid_linkage_various_size": "golden",
    "TestIsValidLinkage.test_is_valid_linkage_int_type": "not: a matrix of integers is no argument",
    "TestIsValidLinkage.test_is_valid_linkage_empty": "differs: no rows are the tree of one thing",
    "TestIsValidLinkage.test_is_valid_linkage_4_and_up": "property",
    "TestIsValidLinkage.test_is_valid_linkage_4_and_up_neg_index_left": "property",
    "TestIsValidLinkage.test_is_valid_linkage_4_and_up_neg_index_right": "property",
    "TestIsValidLinkage.test_is_valid_linkage_4_and_up_neg_dist": "property",
    "TestIsValidLinkage.test_is_valid_linkage_4_and_up_neg_counts": "property",
    "TestIsValidInconsistent.test_is_valid_im_int_type": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_various_size": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_empty": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_4_and_up": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_4_and_up_neg_index_left": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_4_and_up_neg_index_right": "not: inconsistencies are computed, never handed in",
    "TestIsValidInconsistent.test_is_valid_im_4_and_up_neg_dist": "not: inconsistencies are computed, never handed in",
    "TestNumObsLinkage.test_num_obs_linkage_empty": "differs: no rows are the tree of one thing",
    "TestNumObsLinkage.test_num_obs_linkage_1x4": "golden",
    "TestNumObsLinkage.test_num_obs_linkage_2x4": "golden",
    "TestNumObsLinkage.test_num_obs_linkage_4_and_up": "property",
    "TestNumObsLinkage.test_num_obs_linkage_multi_matrix": "property",
    "TestLeavesList.test_leaves_list_1x4": "golden",
    "TestLeavesList.test_leaves_list_2x4": "golden",
    "TestLeavesList.test_leaves_list_Q": "golden",
    "TestLeavesList.test_Q_subtree_pre_order": "golden: the leaves of a merge are those of its left part, then of its right one",
    "TestCorrespond.test_correspond_empty": "differs: no distances and a tree of one thing belong together",
    "TestCorrespond.test_correspond_2_and_up": "property",
    "TestCorrespond.test_correspond_4_and_up": "property",
    "TestCorrespond.test_correspond_4_and_up_2": "property",
    "TestIsMonotonic.test_is_monotonic_empty": "differs: no merges are monotonic",
    "TestIsMonotonic.test_is_monotonic_1x4": "golden",
    "TestIsMonotonic.test_is_monotonic_2x4_T": "golden",
    "TestIsMonotonic.test_is_monotonic_2x4_F": "golden",
    "TestIsMonotonic.test_is_monotonic_3x4_T": "golden",
    "TestIsMonotonic.test_is_monotonic_3x4_F1": "golden",
    "TestIsMonotonic.test_is_monotonic_3x4_F2": "golden",
    "TestIsMonotonic.test_is_monotonic_3x4_F3": "golden",
    "TestIsMonotonic.test_is_monotonic_tdist_linkage1": "golden",
    "TestIsMonotonic.test_is_monotonic_tdist_linkage2": "golden",
    "TestIsMonotonic.test_is_monotonic_Q_linkage": "golden",
    "TestMaxDists.test_maxdists_empty_linkage": "differs: no merges have no maxima",
    "TestMaxDists.test_maxdists_one_cluster_linkage": "golden, with the size 2 for the impossible 4",
    "TestMaxDists.test_maxdists_Q_linkage": "golden",
    "TestMaxInconsts.test_maxinconsts_empty_linkage": "differs: no merges have no maxima",
    "TestMaxInconsts.test_maxinconsts_difrow_linkage": "property",
    "TestMaxInconsts.test_maxinconsts_one_cluster_linkage": "golden, with the size 2 for the impossible 4",
    "TestMaxInconsts.test_maxinconsts_Q_linkage": "golden",
    "TestMaxRStat.test_maxRstat_invalid_index": "not: a value is chosen by its name, not by a column",
    "TestMaxRStat.test_maxRstat_empty_linkage": "differs: no merges have no maxima",
    "TestMaxRStat.test_maxRstat_difrow_linkage": "property",
    "TestMaxRStat.test_maxRstat_one_cluster_linkage": "golden, with the size 2 for the impossible 4",
    "TestMaxRStat.test_maxRstat_Q_linkage": "golden",
    "TestDendrogram.test_dendrogram_single_linkage_tdist": "golden",
    "TestDendrogram.test_valid_orientation": "not: nothing is drawn here",
    "TestDendrogram.test_labels_as_array_or_list": "not: nothing is drawn here",
    "TestDendrogram.test_valid_label_size": "not: nothing is drawn here",
    "TestDendrogram.test_dendrogram_plot": "golden: coordinates, colors and leaves",
    "TestDendrogram.test_dendrogram_truncate_mode": "golden for lastp; there is no truncation by level",
    "TestDendrogram.test_dendrogram_colors": "golden: the palette's names as groups",
    "TestDendrogram.test_dendrogram_leaf_colors_zero_dist": "golden",
    "TestDendrogram.test_dendrogram_leaf_colors": "golden",
    "test_node_compare": "not: nodes are numbers",
    "test_cut_tree": "golden",
    "test_optimal_leaf_ordering": "golden",
    "test_Heap": "not: there is no such heap",
}


def functions():
    """The tests by name, each with its syntax tree."""
    found = {}
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                    found[f"{node.name}.{inner.name}"] = inner
    return found


TESTS = functions()


def literals(test):
    """The lists and dictionaries of literals that stand in a test, outermost ones, in order."""
    found = []

    def visit(node):
        if isinstance(node, (ast.List, ast.Dict)):
            try:
                found.append(ast.literal_eval(node))
                return
            except ValueError:
                pass
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(TESTS[test])
    return found


def numbers(test, name):
    """The number that a test gives `name` in an assignment, however it is wrapped."""
    for node in ast.walk(TESTS[test]):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == name:
            return next(n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant))
    raise KeyError(name)


def linkages():
    """Distances or rows, and the matrix of a linkage."""
    cases = []
    for method in ["single", "complete", "average", "weighted"]:
        matrix = getattr(data, "linkage_ytdist_" + method)
        cases.append(("test_linkage_tdist", method, {"distances": data.ytdist}, matrix))
    cases.append(("test_linkage_X", "ward", {"rows": data.X}, data.linkage_X_ward))
    rows = np.random.RandomState(0).rand(20, 2)
    for method in ["single", "complete", "average", "weighted", "ward"]:
        matrix = hierarchy._hierarchy.linkage(pdist(rows), 20, hierarchy._LINKAGE_METHODS[method])
        cases.append(("test_compare_with_trivial", method, {"distances": pdist(rows)}, matrix))
    ties = "TestLinkage.test_linkage_ties"
    for decorator in TESTS[ties].decorator_list:
        if len(decorator.args) == 2:
            expected = ast.literal_eval(decorator.args[1])
    rows = next(value for value in literals(ties) if np.shape(value) == (3, 2))
    for method, matrix in expected:
        if method not in ("centroid", "median"):
            cases.append(("test_linkage_ties", method, {"rows": rows}, matrix))
    one, two = [value for value in literals("TestLinkage.test_2x2_linkage")][:2]
    matrix = hierarchy.linkage(np.array(one), "single")
    cases.append(("test_2x2_linkage", "single", {"distances": one}, matrix))
    cases.append(("test_2x2_linkage", "single", {"rows": two}, matrix))
    return [
        {
            "test": test,
            "linkage": method,
            **{key: np.asarray(value, float).tolist() for key, value in given.items()},
            "matrix": np.asarray(matrix, float).tolist(),
        }
        for test, method, given, matrix in cases
    ]


def trees():
    """Trees, by name."""
    found = {f"Q {method}": hierarchy.linkage(data.Q_X, method) for method in TREES}
    found["tdist single"] = data.linkage_ytdist_single
    found["X centroid"] = data.linkage_X_centroid
    found["X median"] = data.linkage_X_median
    found["X ward"] = data.linkage_X_ward
    found["gh 12651"] = hierarchy.single(
        np.array(literals("TestFcluster.test_fcluster_maxclust_gh_12651")[0], float)
    )
    np.random.seed(23)
    found["cut tree"] = hierarchy.ward(np.random.randn(50, 4))
    for name in ("1x4", "2x4"):
        found[name] = np.array(literals("TestLeavesList.test_leaves_list_" + name)[0], float)
    one = literals("TestMaxDists.test_maxdists_one_cluster_linkage")[0]
    one[0][3] = 2
    found["one cluster"] = np.array(one)
    for name in ("zero_dist", ""):
        rows = literals("TestDendrogram.test_dendrogram_leaf_colors" + (name and "_" + name))[0]
        found["leaf colors " + (name or "near")] = hierarchy.linkage(np.array(rows, float), "single")
    return found


def statistics(name, z):
    """What SciPy's tests compare about the trees of Q, for all trees."""
    r = hierarchy.inconsistent(z)
    return {
        "tree": name,
        "things": hierarchy.num_obs_linkage(z),
        "matrix": z.tolist(),
        "isMonotonic": bool(hierarchy.is_monotonic(z)),
        "leaves": hierarchy.leaves_list(z).tolist(),
        "maximumDistances": hierarchy.maxdists(z).tolist(),
        "maximumCoefficients": hierarchy.maxinconsts(z, r).tolist(),
        "maximumDeviations": hierarchy.maxRstat(z, r, 1).tolist(),
    }


def flat():
    """Cuts; exact where SciPy's test compares the numbers of clusters, not only the parts."""
    cases = []
    names = {"inconsistent": "inconsistency", "distance": "distance", "maxclust": "count"}
    for theirs, ours in names.items():
        for t, labels in getattr(data, "fcluster_" + theirs).items():
            labels = labels.tolist()
            case = {"tree": "Q single", "t": t, "labels": labels, "isExact": False}
            cases.append({**case, "criterion": ours})
            if ours != "inconsistency":
                other = {"distance": "values", "count": "valueCount"}[ours]
                cases.append({**case, "criterion": other})
    labels = literals("TestFcluster.test_fcluster_maxclust_gh_12651")[1:]
    for t, expected in zip((1, 2, 3, 5), labels, strict=True):
        cases.append(
            {"tree": "gh 12651", "t": t, "labels": expected, "isExact": True, "criterion": "count"}
        )
    return cases


def isomorphisms():
    cases = []
    for test in TESTS:
        if test.startswith("TestIsIsomorphic") and FATE[test] == "golden":
            both = literals(test)
            negated = [n for n in ast.walk(TESTS[test]) if isinstance(n, ast.Not)]
            for one, other in zip(both[::2], both[1::2], strict=True):
                cases.append({"test": test, "one": one, "other": other, "isSame": not negated})
    return cases


def validity():
    """Matrices that are linkages, or are not."""
    test = "TestIsValidLinkage.test_is_valid_linkage_various_size"
    matrix, sizes = literals(test)[:2]
    cases = []
    for rows, columns, valid in sizes:
        part = np.array(matrix, float)[:rows, :columns]
        cases.append({"test": test, "matrix": part.tolist(), "isValid": valid})
    test = "TestCopheneticDistance.test_gh_22183"
    cases.append({"test": test, "matrix": literals(test)[0], "isValid": False})
    return cases


def monotonicity():
    cases = []
    for name in ("1x4", "2x4_T", "2x4_F", "3x4_T", "3x4_F1", "3x4_F2", "3x4_F3"):
        test = "TestIsMonotonic.test_is_monotonic_" + name
        negated = [n for n in ast.walk(TESTS[test]) if isinstance(n, ast.Not)]
        cases.append({"test": test, "matrix": literals(test)[0], "isMonotonic": not negated})
    changed = data.linkage_ytdist_single.copy()
    changed[2, 2] = 0
    test = "TestIsMonotonic.test_is_monotonic_tdist_linkage2"
    cases.append({"test": test, "matrix": changed.tolist(), "isMonotonic": False})
    return cases


def layouts():
    z = data.linkage_ytdist_single
    threshold = 250
    found = {
        "test_dendrogram_plot": (z, {}),
        "test_dendrogram_truncate_mode": (z, {"truncate_mode": "lastp", "p": 2}),
        "test_dendrogram_colors": (z, {"color_threshold": threshold}),
        "test_dendrogram_leaf_colors_zero_dist": (trees()["leaf colors zero_dist"], {}),
        "test_dendrogram_leaf_colors": (trees()["leaf colors near"], {}),
    }
    cases = []
    for test, (tree, options) in found.items():
        drawn = layout(tree, **options)
        literal = literals("TestDendrogram." + test)
        if test in ("test_dendrogram_plot", "test_dendrogram_truncate_mode"):
            # What the test expects is what SciPy answers without drawing too.
            expected = next(value for value in literal if isinstance(value, dict))
            assert [row[1] for row in drawn["brackets"]] == [x[0] for x in expected["icoord"]]
            assert [row[5] for row in drawn["brackets"]] == [y[1] for y in expected["dcoord"]]
            assert drawn["leaves"] == expected["leaves"]
        elif test == "test_dendrogram_colors":
            names = [row[6] for row in drawn["brackets"]]
            assert ["gcmyk"[number] for number in names] == literal[-1]
        else:
            assert [f"C{number}" for number in drawn["leafColors"]] == literal[-1]
        cases.append(
            {
                "test": test,
                "matrix": tree.tolist(),
                "threshold": options.get("color_threshold"),
                "last": options.get("p"),
                "layout": drawn,
            }
        )
    return cases


def main():
    assert set(TESTS) == set(FATE), set(TESTS) ^ set(FATE)
    found = trees()
    cophenetic = literals("TestCopheneticDistance.test_linkage_cophenet_tdist_Z_Y")[0]
    np.random.seed(23)
    leaders = literals("TestLeaders.test_leaders_single")[0]
    labels = hierarchy.fcluster(found["Q single"], 3, "maxclust")
    write(
        "Clustering/scipy_suite.json",
        {
            "tests": FATE,
            "linkages": linkages(),
            "badDistances": {"negative": literals("TestLinkage.test_centroid_neg_distance")[0]},
            "trees": [statistics(name, z) for name, z in found.items()],
            "inconsistency": {
                depth: table.tolist() for depth, table in data.inconsistent_ytdist.items()
            },
            "cophenetic": {
                "distances": data.ytdist.tolist(),
                "cophenetic": cophenetic,
                "correlation": numbers(
                    "TestCopheneticDistance.test_linkage_cophenet_tdist_Z_Y", "expectedc"
                ),
            },
            "rows": data.Q_X.tolist(),
            "flat": flat(),
            "leaders": {
                "labels": labels.tolist(),
                "nodes": leaders[: len(leaders) // 2],
                "of": leaders[len(leaders) // 2 :],
            },
            "isomorphisms": isomorphisms(),
            "validity": validity(),
            "monotonicity": monotonicity(),
            "layouts": layouts(),
            "cutTree": hierarchy.cut_tree(found["cut tree"]).T[[0, -1, -5, -10]].tolist(),
            "optimal": [
                {
                    "matrix": data.linkage_ytdist_single.tolist(),
                    "distances": data.ytdist.tolist(),
                    "expected": data.linkage_ytdist_single_olo.tolist(),
                },
                {
                    "matrix": data.linkage_X_ward.tolist(),
                    "distances": pdist(data.X).tolist(),
                    "expected": data.linkage_X_ward_olo.tolist(),
                },
            ],
        },
    )


if __name__ == "__main__":
    main()
