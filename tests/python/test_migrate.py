"""Tests the translation of calls and scripts of the Python project. tests/apps/migrated_lines_test.cpp executes
translations."""

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from molgauge import errors
from molgauge.migrate import migrate, migrate_words, migrated_script
from molgauge.migrate.__main__ import main
from molgauge.migrate.old_options import OLD_OPTIONS, as_markdown, options_of
from molgauge.migrate.scripts import DATA, read_script
from molgauge.migrate.summaries import write_summaries
from molgauge.migrate.tables import tables
from molgauge.migrate.words import shell_quoted, shell_word
from support import PROGRAM, WithStore

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("MOLGAUGE_REFERENCE_DATA") or ROOT.parent / "shared" / "data")


def only_words(text):
    """The words of the call in a script with one call."""
    (command,) = read_script(text).commands
    return command.words


def written(text):
    """The words of the call in a script with one call, quoted for a shell."""
    return [shell_word(word) for word in only_words(text)]


class ShellWords(unittest.TestCase):
    def test_are_quoted_only_if_needed(self):
        for word, quoted in {
            "data/x_1.json": "data/x_1.json",
            "C(=O)O": "'C(=O)O'",
            "it's": "'it'\\''s'",
            "$SEED": '"$SEED"',
            "${SEED}": '"${SEED}"',
            "$(touch pwned)": "'$(touch pwned)'",
            "$SEED ${A:-$(touch pwned)}": r'"$SEED \${A:-\$(touch pwned)}"',
            "": "''",
        }.items():
            self.assertEqual(shell_quoted(word), quoted)


class ScriptCommands(unittest.TestCase):
    def test_quotes_variables_and_continued_lines_are_words(self):
        self.assertEqual(
            only_words("CUDA_VISIBLE_DEVICES=0 python -u ./src/main.py --a 'b c' \\\n  --d \"$E f\" ${G:-h i} # --no\n"),
            ["main.py", "--a", "b c", "--d", "$E f", "${G:-h i}"],
        )

    def test_quoted_words_are_text(self):
        self.assertEqual(
            written(r"""python main.py '$(touch pwned)' '$A' "\$B" \$C "c $" """),
            ["main.py", "'$(touch pwned)'", "'$A'", "'$B'", "'$C'", "'c $'"],
        )
        self.assertEqual(
            written(r"""python main.py '`a`'$B" c\`\"\\d" '$('$E"""), ["main.py", r'"\`a\`${B} c\`\"\\d"', r'"\$($E"']
        )

    def test_substitutions_stay(self):
        self.assertEqual(
            written('python main.py "runs/$(date +%F)" "`date`" ${A:-"b c"} "$D e"'),
            ["main.py", '"runs/$(date +%F)"', '"$(date)"', '"${A:-"b c"}"', '"$D e"'],
        )

    def test_a_variable_ends_with_its_quotes(self):
        self.assertEqual(
            written('python main.py "$A"_b $A"b" "$A"/c "$(basename "$f" .json)_d" $(date +%F)'),
            ["main.py", '"${A}_b"', '"${A}b"', '"$A/c"', '"$(basename "$f" .json)_d"', '"$(date +%F)"'],
        )

    def test_calls_in_arrays_and_texts_are_found(self):
        script = read_script("C=(python main.py --a)\nD=\"python -u ./main.py --b\"\necho 'run main.py'\n")
        self.assertEqual([command.place for command in script.commands], [DATA])
        ((begin, end, program),) = script.mentions
        self.assertEqual((script.text[begin:end], program), ("python -u ./main.py", "main.py"))

    def test_a_backslash_in_quotes_escapes_only_special_characters(self):
        self.assertEqual(
            only_words(r"""python main.py "F/C=C\F" 'a\b' "a\"b" """), ["main.py", r"F/C=C\F", r"a\b", 'a"b']
        )

    def test_redirections_are_no_arguments(self):
        self.assertEqual(
            only_words("if python3 main.py --a b > log.txt 2>&1; then echo; fi"), ["main.py", "--a", "b"]
        )
        self.assertEqual(only_words("python main.py --a 1 2>/dev/null | tee x"), ["main.py", "--a", "1"])

    def test_lines_are_counted(self):
        script = read_script("#!/bin/bash\n\npython main.py --a \\\n b\npython prediction.py\n")
        self.assertEqual([command.line for command in script.commands], [3, 5])

    def test_the_name_of_a_program_alone_is_no_call(self):
        for text in ("if [[ ! -f main.py ]]; then echo 'main.py is missing'; fi", "# python main.py --mode train\n"):
            self.assertEqual(read_script(text).commands, [])

    def test_lists_of_a_python_script_are_calls(self):
        self.assertEqual(
            only_words(
                '#!/usr/bin/env python3\nseeds = [1, 2]\ncmd = [\n  sys.executable, "main.py",\n'
                '  "--seed", str(seed),  # 10 of them\n  \'--dataset\', dataset, "--lr", str(args.lr)\n]\n'
            ),
            ["main.py", "--seed", "${seed}", "--dataset", "${dataset}", "--lr", "${args_lr}"],
        )

    def test_strings_of_a_python_script_stay_whole(self):
        self.assertEqual(
            written(
                '#!/usr/bin/env python3\n[ "python", "main.py",\n "runs/my run", \'a \'  "b", "",\n'
                ' "$(touch pwned)", "runs/" + name, f"{a}$(b)" ]\n'
            ),
            ["main.py", "'runs/my run'", "'a b'", "''", "'$(touch pwned)'", '"${runs__name}"', '"${f_a___b_}"'],
        )

    def test_places_in_a_python_script_are_characters(self):
        script = read_script('#!/usr/bin/env python3\né = ["ä", "python", "main.py", "ö"]; f"ü {x} python main.py"\n')
        (command,), ((begin, end, _),) = script.commands, script.mentions
        self.assertEqual(script.text[command.begin : command.end], '"python", "main.py", "ö"')
        self.assertEqual(script.text[begin:end], "python main.py")

    def test_unfinished_shell_texts_end(self):
        for text in ('"`a', '"$(a', '"\\', "'a", "\\", "${A"):
            read_script("python main.py " + text)

    def test_a_python_script_with_an_error_is_refused_with_its_line(self):
        for text in ('#!python\n["main.py", "', '#!python\n["main.py" #', "#!python\n["):
            with self.assertRaisesRegex(errors.InputError, "script:2: Python cannot read it"):
                read_script(text)


def only(text):
    (call,) = migrate(text)
    return call


@unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
class Migrate(unittest.TestCase):
    def assert_warns(self, call, *beginnings):
        for beginning in beginnings:
            self.assertTrue(any(one.startswith(beginning) for one in call.warnings), (beginning, call.warnings))

    def test_training_keeps_every_setting(self):
        call = only(
            "python main.py --mode train --dataset drugood --data_file a.json --output_dir out --hidden_dim 64 --dpo_beta "
            "0.5 --lambda_reg 0.1 --epochs 500 --batch_size 8192 --eval_batch_size 4096 --lr 1e-3 --weight_decay 0 "
            "--eval_steps 25 --grad_clip 2 --data_seed 7 --device cpu --debug_dataset_size 100 --dataset_type drugood "
            "--log_level WARNING --foundation_model minimol"
        )
        self.assertEqual(
            call.commands,
            [
                "molgauge train a.json --run out --device cpu --data-seed 7 --encoder minimol --hidden-dim 64 --dpo-beta 0.5 "
                "--lambda-reg 0.1 --epochs 500 --batch-size 8192 --eval-batch-size 4096 --lr 1e-3 --weight-decay 0 "
                "--eval-steps 25 --grad-clip 2 --log-level warn --debug-dataset-size 100 --dataset-type drugood "
                "--patience 10 --early-stopping reference"
            ],
        )
        self.assertEqual([one.partition(": ")[0] for one in call.warnings], ["--early_stopping_patience"])

    def test_a_data_set_is_named_by_file_then_subset_then_name(self):
        (command,) = only(
            "python main.py --mode train --dataset a --drugood_subset b --data_path d --output_dir o"
        ).commands
        self.assertTrue(command.startswith("molgauge train b --run o --data-path d "))
        (command,) = only("python main.py --mode train --dataset=a --output_dir=o").commands
        self.assertTrue(command.startswith("molgauge train a --run o "))

    def test_says_if_no_data_set_is_named(self):
        for command in ("python main.py --mode train", "python baselines.py --method msp"):
            call = only(command)
            self.assertIn(" BENCHMARK --run ", call.commands[0])
            self.assert_warns(call, "--dataset: no data set is named")

    def test_good_data_sets_are_split_first(self):
        call = only(
            "python main.py --mode train --dataset GOOD_HIV --good_domain size --good_shift no_shift --output_dir o"
        )
        split, train = call.commands
        self.assertEqual(
            split,
            "[ -e data/good_hiv_size_none.json ] || molgauge split data/hiv.csv --label-column HIV_active "
            "--algorithm good --domain size --shift none --out data/good_hiv_size_none.json",
        )
        self.assertTrue(train.startswith("molgauge train data/good_hiv_size_none.json --run o "))
        self.assertIn("Instead of the table, you can name", call.warnings[0])

    def test_zinc_is_split_by_its_values(self):
        """GOOD sorts the molecule sizes of ZINC in another order than for HIV and PCBA, so the split needs
        `--style values`."""
        call = only("python main.py --mode train --dataset good_zinc --data_path d --output_dir o")
        self.assertIn("molgauge split d/zinc.csv --label-column logp --style values ", call.commands[0])
        call = only("python baselines.py --dataset good_pcba --output_dir o")
        self.assertIn("molgauge split data/raw/pcba.csv $(head -n 1 data/raw/pcba.csv | ", call.commands[0])

    def test_defaults_that_differ_are_written_out(self):
        (command,) = only("python main.py --mode train --dataset a").commands
        self.assertTrue(command.startswith("molgauge train a --run runs/first --data-path data "))
        call = only("python baselines.py --dataset a")
        self.assertEqual(
            call.commands,
            [
                "molgauge baseline a --run baseline_results --data-path data/raw --encoder unimol --metrics baseline "
                "--calibration validation"
            ],
        )
        self.assert_warns(call, "--foundation_model: ", "--metrics: ", "--calibration: ")

    def test_options_of_another_method_are_left_out_with_a_remark(self):
        call = only("python baselines.py --dataset a --method msp --T 5 --knn_k 3 --output_dir o")
        self.assertNotRegex(call.commands[0], "odin|knn")
        self.assertIn("--T: has no effect with --method msp. Left out", call.warnings)
        self.assertIn("--knn_k: has no effect with --method msp. Left out", call.warnings)
        drawn = only("python main.py --mode train --dataset a --splits_cache_file s --debug_dataset_size 9")
        self.assertIn("--splits-cache s", drawn.commands[0])
        self.assertNotIn("debug", drawn.commands[0])

    def test_an_option_without_its_value_is_left_out_with_a_remark(self):
        call = only("python main.py --mode train --dataset a --epochs --lr 1")
        self.assertIn("--lr 1", call.commands[0])
        self.assertIn("--epochs 50", call.commands[0])  # the default of the Python project
        self.assertIn("--epochs: takes a value, and none is given. Left out", call.warnings)

    def test_options_may_be_cut_short(self):
        (command,) = only("python main.py --mode train --dataset a --epo 3 --hinge 4").commands
        self.assertIn("--epochs 3", command)
        self.assertNotIn("hinge", command)

    def test_calls_that_depend_on_unknown_variables_are_translated_later(self):
        """Values that the script assigns are known."""
        for script in (
            'python main.py --mode train --dataset a "$@"',
            "python main.py --mode $MODE --dataset a",
            "python main.py --mode train --dataset $1",
            "for d in good_hiv a; do\npython main.py --mode train --dataset $d\ndone",
            "for l in dpo bce; do\npython main.py --mode train --dataset a --loss_type $l --dpo_beta 1\ndone",
            "read M; python main.py --mode $M --dataset a",
        ):
            (command,) = migrate(script)[-1].commands
            self.assertTrue(command.startswith("molgauge migrate --run main.py "), command)
        (command,) = migrate(
            'DATA=(a b)\nM=train\nfor d in "${DATA[@]}"; do\n for l in bce mse; do\n'
            'python main.py --mode $M --dataset "$d" --loss_type $l --dpo_beta 1\ndone\ndone'
        )[-1].commands
        self.assertTrue(command.startswith('molgauge train "$d" --run '), command)
        self.assertIn('--loss "$l"', command)
        self.assertNotIn("dpo", command)

    def test_feature_caches_are_imported_first(self):
        store, train = only(
            "python main.py --mode train --dataset a --output_dir o --feature_cache_file f.pkl"
        ).commands
        self.assertEqual(store, "molgauge store import f.pkl --name python")
        self.assertIn("--features imported:python", train)

    def test_an_option_without_effect_is_left_out_with_a_remark(self):
        call = only(
            "python main.py --mode train --dataset a --output_dir o --loss_type bce --dpo_beta 1 --hinge_squared "
            "--save_steps 5 --debug --nonsense 3"
        )
        self.assertNotRegex(call.commands[0], "dpo-beta|hinge")
        self.assert_warns(
            call,
            "--dpo_beta: has no effect with --loss_type bce. Left out",
            "--hinge_squared: has no effect with --loss_type bce. Left out",
            "--save_steps: had no effect",
            "--nonsense: no option of main.py. Left out",
        )

    def test_evaluation_names_the_run_folder(self):
        for command, expected in {
            "main.py --mode eval --dataset a --output_dir o --model_path o/best_model.pth": ["molgauge evaluate o"],
            "main.py --mode eval --dataset a --model_path old/best_model.pth --feature_cache_file f.pkl "
            "--foundation_model minimol": [
                "molgauge store import f.pkl --name python",
                "molgauge evaluate old/best_model.pth --features imported:python --data-path data --encoder minimol",
            ],
            "main_generalization.py --mode eval --dataset a --output_dir o --test_data_file b.json "
            "--test_drugood_subset b": ["molgauge evaluate o --data b.json"],
        }.items():
            self.assertEqual(only("python " + command).commands, expected)

    def test_prediction_scores_files_and_lists(self):
        for command, expected in {
            "main.py --mode predict --dataset a --output_dir o --test_file m.txt": "molgauge score o m.txt --format csv",
            "main.py --mode predict --dataset a --output_dir o --test_smiles CCO 'C(=O)O'": (
                "printf '%s\\n' CCO 'C(=O)O' | molgauge score o - --format csv"
            ),
            "prediction.py --model_path b.pth --input_file i.csv --output_file o.csv --smiles_column s --threshold 0.5 "
            "--batch_size 3": "molgauge score b.pth i.csv --out o.csv --smiles-column s --threshold 0.5",
        }.items():
            self.assertEqual(only("python " + command).commands, [expected])

    def test_text_stays_text_in_commands_and_remarks(self):
        """The output is a script. It executes no text of the old command."""
        call = only("python main.py --mode train --dataset a --output_dir '$(touch pwned)' '-x $A\nrm b'")
        self.assertTrue(call.commands[0].startswith("molgauge train a --run '$(touch pwned)' "))
        self.assertIn("-x $A rm b: no option of main.py. Left out", call.warnings)

    def test_fine_tuning_is_of_unimol_alone(self):
        tuning = "python main.py --mode train --dataset a --finetune_encoder --encoder_lr 1e-6 --freeze_layers 0-9"
        frozen = only(tuning)
        for option in ("--finetune_encoder", "--encoder_lr", "--freeze_layers"):
            self.assert_warns(frozen, option + ": has no effect with --foundation_model minimol")
        self.assertNotIn("--freeze-layers", frozen.commands[0])
        tuned = only(tuning + " --foundation_model unimol")
        self.assertIn("--finetune-encoder --encoder-lr 1e-6 --freeze-layers 0-9", tuned.commands[0])
        unimol = "python main.py --mode train --dataset a --foundation_model unimol"
        self.assert_warns(only(unimol + " --freeze_layers 0-9"), "--freeze_layers: has no effect")
        self.assert_warns(only(unimol), "--foundation_model: the weights of unimol")

    def test_baselines_keep_their_options(self):
        call = only("python baselines.py --dataset a.json --method knn --knn_k 7 --output_dir out --num_workers 2")
        self.assertEqual(
            call.commands,
            [
                "molgauge baseline a.json --run out --data-path data/raw --encoder unimol --method knn --knn-k 7 "
                "--metrics baseline --calibration validation"
            ],
        )
        self.assert_warns(call, "--num_workers: no worker processes")

    def test_experiment_scripts_become_a_matrix(self):
        split, specification, experiment, summaries = only(
            "./run_good_experiments.sh --seeds 1 2 3 --datasets hiv --domains size --shifts covariate --output_dir out"
        ).commands
        self.assertTrue(split.startswith("[ -e data/raw/good_hiv_size_covariate.json ] || molgauge split "))
        self.assertTrue(specification.startswith("cat > good_experiments.toml <<"))
        self.assertIn("seeds = [1, 2, 3]\n", specification)
        self.assertIn('file = "good_hiv_size_covariate.json"\n', specification)
        self.assertEqual(experiment, "molgauge experiment good_experiments.toml --data-path data/raw --out out")
        self.assertEqual(summaries, "molgauge migrate --summaries out")

    def test_experiment_programs_keep_their_settings(self):
        """The settings of the Python project's experiment program, in its format: a list in a Python script."""
        call = only(
            '#!/usr/bin/env python3\ntrain_cmd = [\n    sys.executable, "main.py",\n    "--mode", "train",\n'
            '    "--dataset", dataset,\n    "--data_file", data_file,\n    "--output_dir", output_dir,\n'
            '    "--seed", str(seed),\n    "--epochs", "500",\n    "--batch_size", "8192",  # fingerprints\n'
            '    "--eval_steps", "25",\n    "--encoding_batch_size", "500"\n]\n'
        )
        self.assertEqual(
            call.commands,
            [
                'molgauge train "${data_file}" --run "${output_dir}" --seed "${seed}" --epochs 500 --batch-size 8192 '
                "--eval-steps 25 --patience 10 --early-stopping reference"
            ],
        )
        self.assert_warns(call, "--encoding_batch_size: batches are packed by atoms")

    def test_words_without_a_program_are_refused(self):
        with self.assertRaisesRegex(errors.UsageError, "echo: not a program of the Python project"):
            migrate_words(["echo", "a"])
        self.assertEqual(migrate_words(["python", "main.py", "--mode", "eval", "--output_dir", "$x"]).commands,
                         ["molgauge evaluate '$x'"])

    def test_only_calls_of_a_script_change(self):
        script = migrated_script(
            "#!/bin/bash\nfor s in 1 2; do  # seeds\n  if ! A=1 python -u main.py --mode eval --dataset x --output_dir "
            '"$O"_b \\\n    > log 2>&1; then exit 1; fi\ndone\n'
        )
        self.assertTrue(script.startswith("#!/bin/bash\n# Written by molgauge migrate"))
        self.assertTrue(
            script.endswith(
                '\nfor s in 1 2; do  # seeds\n  if ! A=1 molgauge evaluate "${O}_b" \\\n'
                "    > log 2>&1; then exit 1; fi\ndone\n"
            )
        )
        self.assertEqual(migrated_script("#!/bin/bash\necho main.py\n"), "")

    def test_several_commands_stand_in_braces_or_are_made_later(self):
        good = "python main.py --mode train --dataset good_hiv --output_dir o"
        script = migrated_script(good + " || exit 1\n")
        self.assertIn("{ [ -e data/good_hiv_scaffold_covariate.json ] || molgauge split ", script)
        self.assertTrue(script.endswith("; } || exit 1\n"))
        self.assertIn("nohup molgauge migrate --run " + good[len("python ") :] + " &\n", migrated_script(f"nohup {good} &\n"))


class OldOptions(unittest.TestCase):
    def test_each_has_a_counterpart_or_a_reason(self):
        seen = set()
        for option in OLD_OPTIONS:
            self.assertTrue(option.name.startswith("--"))
            self.assertTrue(option.counterpart or option.explanation, option)
            self.assertTrue(option.counterpart or not option.verbs, option)
            for program in option.programs:
                self.assertNotIn((option.name, program), seen)
                seen.add((option.name, program))

    def test_are_found_by_program(self):
        self.assertEqual(options_of("e")["--batch_size"].preset, "512")
        self.assertEqual(options_of("b")["--batch_size"].preset, "32")
        self.assertNotIn("--test_data_file", options_of("e"))
        self.assertNotIn("--finetune_encoder", options_of("g"))

    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_have_counterparts_that_the_verbs_have(self):
        """Fails if a verb has renamed an option, but the table of counterparts still contains the old name."""
        verbs = {"t": "train", "v": "evaluate", "s": "score", "b": "baseline", "x": "experiment"}
        checked = 0
        for option in OLD_OPTIONS:
            counterpart = option.counterpart.partition(" ")[0]
            if counterpart.startswith("--") and counterpart != "--log-level":
                for verb in option.verbs:
                    names = ["--" + row["name"] for row in tables()[verbs[verb]]]
                    self.assertIn(counterpart, names)
                    checked += 1
        self.assertGreaterEqual(checked, 60)

    def test_every_option_of_the_reference_is_in_the_table(self):
        file = REFERENCE / "ood" / "README.md"
        if not file.exists():
            self.skipTest(f"reference fixture {file} is not here")
        section = file.read_text().partition("## 10. Options")[2]
        found = {"g": {"--test_data_file", "--test_drugood_subset", "--seed"}}
        for program, begin, end in (
            ("e", "Energy model:", "Generalisation program:"),
            ("b", "Baselines:", "Predictor:"),
            ("p", "Predictor:", "Experiment programs"),
            ("x", "Experiment programs", "training dynamics"),
        ):
            self.assertIn(end, section.partition(begin)[2])
            found[program] = set(re.findall("--[a-zA-Z_]+", section.partition(begin)[2].partition(end)[0]))
        for program, fewest in {"e": 45, "g": 3, "b": 34, "p": 11, "x": 15}.items():
            self.assertGreaterEqual(len(found[program]), fewest)
            self.assertEqual(found[program] - set(options_of(program)), set())


class Pages(unittest.TestCase):
    """docs/reference/migrated-options.md has the table of options, and the pages about the Python project name tests that exist."""

    def setUp(self):
        self.docs = ROOT / "docs"
        if not self.docs.exists():
            self.skipTest("no checkout: docs/ is not here")

    def test_has_the_table_of_options(self):
        remedy = 'put the output of `molgauge migrate --options` under "Programs"'
        self.assertIn(as_markdown(), (self.docs / "reference" / "migrated-options.md").read_text(), remedy)

    def test_names_tests_that_exist(self):
        sources = "".join(file.read_text() for file in (ROOT / "tests").rglob("*.cpp"))
        own = Path(__file__).read_text()
        pages = [self.docs / "explanation" / "python-project.md", self.docs / "how-to" / "migrate-from-python.md"]
        names = [found for page in pages for found in re.findall(r"`([A-Z][A-Za-z]+)\.([A-Za-z_]+)`", page.read_text())]
        for group, name in names:
            if name.startswith("test_"):
                self.assertTrue(f"class {group}(" in own and f"def {name}(" in own, name)
            else:
                self.assertTrue(f"({group}, {name})" in sources, name)
        self.assertGreaterEqual(len(names), 15)


@unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
class CommandLine(WithStore):
    def run_main(self, *words):
        """Exit code, output and errors."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(word) for word in words])
        return code, out.getvalue(), err.getvalue()

    def test_the_module_and_the_program_print_the_same(self):
        words = ["python", "main.py", "--mode", "train", "--dataset", "a b", "--lr", "$x"]
        expected = self.run_main(*words)[1]
        self.assertIn("\nmolgauge train 'a b' --run runs/first ", expected)
        for command in ([sys.executable, "-m", "molgauge.migrate"], [PROGRAM, "migrate"]):
            ended = subprocess.run([*command, *words], capture_output=True, text=True, check=True)
            self.assertEqual((ended.stdout, ended.stderr), (expected, ""))

    def test_the_program_says_how_to_get_the_translator(self):
        copy = self.folder / "bin" / "molgauge"
        copy.parent.mkdir()
        copy.write_bytes(Path(PROGRAM).read_bytes())
        copy.chmod(0o755)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(Path(PROGRAM).parent.parent / "lib")}
        ended = subprocess.run([copy, "migrate", "--options"], capture_output=True, text=True, env=environment)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("run: python3 -m molgauge.migrate", ended.stderr)

    def test_the_program_says_that_python_is_absent(self):
        environment = {**os.environ, "PATH": str(self.folder)}
        ended = subprocess.run([PROGRAM, "migrate", "--options"], capture_output=True, text=True, env=environment)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("python3 could not be started", ended.stderr)

    def test_mistakes_have_their_exit_codes(self):
        script = self.folder / "run.py"
        script.write_text("import sys\nx = [\n")
        self.assertEqual(self.run_main()[0], 2)
        self.assertEqual(self.run_main("--run", "echo")[0], 2)
        self.assertEqual(self.run_main("echo")[0], 3)
        self.assertEqual(self.run_main(script)[0], 3)
        self.assertEqual(self.run_main("--summaries", self.folder)[0], 3)
        self.assertEqual(self.run_main("--summaries")[0], 2)

    def test_errors_have_no_control_characters(self):
        self.assertIn("molgauge: \\x1b[2J: no call of main.py", self.run_main("\x1b[2J")[2])

    def test_a_long_script_is_refused(self):
        script = self.folder / "long.sh"
        for text, code in (("$(" * 50_000, 0), ("--x a " * 100_000, 3)):
            script.write_text("#!/bin/sh\npython main.py --mode train --x " + text + "\n")
            ended = subprocess.run([PROGRAM, "migrate", script], capture_output=True, text=True)
            self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertIn("is longer than 200000 characters", ended.stderr)

    def test_a_script_keeps_bytes_that_are_not_utf_8(self):
        script = self.folder / "run.sh"
        script.write_bytes(b"# caf\xe9\r\npython main.py --mode eval --output_dir o\r\n")
        ended = subprocess.run([PROGRAM, "migrate", script], capture_output=True, check=True)
        self.assertTrue(ended.stdout.endswith(b"# caf\xe9\r\nmolgauge evaluate o\r\n"), ended.stdout)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            ended = subprocess.run([PROGRAM, "migrate", "--options"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (1, "molgauge: standard output: No space left on device\n"))


SPECIFICATION = """
[training]
epochs = 1
[[benchmark]]
name = "nci"
file = "nci.json"
{test}
[[method]]
name = "dpo"
[[method]]
name = "energy-bce"
loss = "bce"
[[method]]
name = "energy-mse"
loss = ["mse"]
"""
HEADER = "benchmark,encoder,method,kind,options,seed,data_seed,auroc,aupr,fpr95,validation_auroc,error".split(",")


@unittest.skipIf(sys.version_info < (3, 11), "the summaries need tomllib, of Python 3.11")
class Summaries(WithStore):
    def write(self, *runs, test=""):
        """Runs: method, seed, AUROC (None if the run failed), and the point of a grid."""
        with open(self.folder / "cells.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(HEADER)
            for method, seed, auroc, *grid in runs:
                figures = [""] * 4 if auroc is None else [auroc, auroc / 2, 1 - auroc, 0.5]
                variant = ",".join([method, *grid])
                table.writerow(["nci", "ecfp", method, "energy-head", *(grid or [""]), seed, 42, *figures, ""])
                (self.folder / "runs/ecfp/nci" / variant).mkdir(parents=True, exist_ok=True)
        (self.folder / "spec.toml").write_text(SPECIFICATION.format(test=test))
        write_summaries(self.folder)

    def has(self, name):
        return (self.folder / name).exists()

    def json(self, name):
        return json.loads((self.folder / name).read_text())

    def test_have_the_keys_of_the_python_project(self):
        self.write(("dpo", 1, 0.6), ("dpo", 2, 0.8))
        metrics = self.json("runs/ecfp/nci/dpo/dataset_metrics.json")
        self.assertEqual(metrics["num_seeds"], 2)
        self.assertAlmostEqual(metrics["metrics"]["auroc"]["mean"], 0.7, 12)
        self.assertAlmostEqual(metrics["metrics"]["auroc"]["std"], 0.1414213562373095, 12)
        self.assertEqual(self.json("ecfp_experiment_results.json")["nci"]["dpo"], metrics)
        ablation = self.json("ablation_summary.json")["nci/ecfp/dpo"]["auroc"]
        self.assertAlmostEqual(ablation["std"], 0.1, 12, "population deviation")
        self.assertEqual((ablation["runs"], ablation["min"], ablation["max"]), ([0.6, 0.8], 0.6, 0.8))

    def test_leave_out_runs_that_failed(self):
        self.write(("dpo", 1, None), ("dpo", 2, 0.75), ("energy-bce", 1, None))
        self.assertEqual(self.json("runs/ecfp/nci/dpo/dataset_metrics.json")["num_seeds"], 1)
        self.assertEqual(self.json("runs/ecfp/nci/energy-bce/dataset_metrics.json")["num_seeds"], 0)
        self.assertEqual(list(self.json("ablation_summary.json")), ["nci/ecfp/dpo"])

    def test_of_cross_dataset_tests(self):
        runs = ("dpo", 1, 0.5), ("dpo", 2, 0.75)
        self.write(*runs)
        self.assertFalse(self.has("cross_dataset_summary.json"), "tested on its own molecules")
        self.write(*runs, test='test = "other.json"')
        metrics = self.json("runs/ecfp/nci/dpo/cross_dataset_metrics.json")
        self.assertEqual((metrics["metrics"]["auroc"]["mean"], metrics["num_seeds"]), (0.625, 2))
        self.assertEqual(self.json("cross_dataset_summary.json")["nci"]["ecfp"]["dpo"], metrics)
        self.write(*runs)
        self.assertFalse(self.has("cross_dataset_summary.json"), "of an earlier specification")
        self.assertFalse(self.has("runs/ecfp/nci/dpo/cross_dataset_metrics.json"), "of an earlier specification")

    def test_of_losses(self):
        self.write(("dpo", 1, 0.5), ("dpo", 2, 0.75), ("energy-bce", 1, 0.25), ("energy-mse", 1, 0.25))
        metrics = self.json("runs/ecfp/nci/dpo_metrics.json")["auroc"]
        self.assertEqual((metrics["mean"], metrics["std"]), (0.625, 0.125))
        self.assertEqual(len(metrics["runs"]), 2)
        self.assertTrue(self.has("runs/ecfp/nci/bce_metrics.json") and self.has("runs/ecfp/nci/mse_metrics.json"))

    def test_of_a_grid_over_losses(self):
        self.write(("dpo", 1, 0.5, "dpo-beta=1,loss=dpo"), ("dpo", 1, 0.5, "dpo-beta=1,loss=hinge"))
        self.assertTrue(self.has("runs/ecfp/nci/hinge_metrics.json"))
        self.assertTrue(self.has("runs/ecfp/nci/dpo,dpo-beta=1,loss=hinge/dataset_metrics.json"))

    def test_of_a_single_loss_there_are_none(self):
        self.write(("dpo", 1, 0.5))
        self.assertFalse(self.has("runs/ecfp/nci/dpo_metrics.json"))

    def test_of_losses_that_are_no_longer_there_none_stay(self):
        self.write(("dpo", 1, 0.5), ("energy-bce", 1, 0.25), ("energy-mse", 1, 0.25))
        self.write(("dpo", 1, 0.5), ("energy-bce", 1, 0.25))
        self.assertTrue(self.has("runs/ecfp/nci/bce_metrics.json"))
        self.assertFalse(self.has("runs/ecfp/nci/mse_metrics.json"))
        self.write(("dpo", 1, 0.5))
        self.assertFalse(self.has("runs/ecfp/nci/dpo_metrics.json"))


if __name__ == "__main__":
    unittest.main()
